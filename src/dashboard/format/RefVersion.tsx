import { parseScorerRef } from '../../contract/scorer-ref'
import { ForeignText } from './ForeignText'
import { formatRefVersion, type ObjectVersion } from './object-version'

type Props = {
  scorerRef: string
  /** What the reference leads to, where that is known. */
  version: ObjectVersion | undefined
}

/** The version in a reference: short, and whole in its tooltip and while the control around it (a `group`) has the focus. */
export function RefVersion({ scorerRef, version }: Props) {
  const parts = parseScorerRef(scorerRef)
  if (typeof parts === 'string') return null
  const { version: text } = parts
  const short = formatRefVersion(text, version)
  if (short === text) return <ForeignText text={text} />
  return (
    <span title={text}>
      <span className="group-focus:hidden">{short}</span>
      <span className="hidden group-focus:inline">
        <ForeignText text={text} />
      </span>
    </span>
  )
}
