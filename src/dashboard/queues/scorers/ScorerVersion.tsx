import type { ReceivedObject } from '../../../contract/received-objects'
import { ForeignText } from '../../format/ForeignText'
import { formatVersion, shortenVersion } from './find-version'

/** The version of a reference: short, and whole while the control around it (a `group`) has the focus. */
export function ScorerVersion({ text, version }: { text: string; version: ReceivedObject | undefined }) {
  const short = version && text !== 'latest' ? formatVersion(version) : shortenVersion(text)
  return (
    <span className="text-quiet">
      {short !== text && <span className="group-focus:hidden">{short}</span>}
      <span className={short === text ? '' : 'hidden group-focus:inline'}>
        <ForeignText text={text} />
      </span>
    </span>
  )
}
