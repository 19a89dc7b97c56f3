import { ForeignText } from '../../format/ForeignText'
import { formatVisibleText } from '../../format/visible-text'

type Props = {
  /** Nobody: everybody may review. */
  assignees: readonly string[]
  /** Who has an item now. */
  active: readonly string[]
  /** Names that fit; the others are counted. */
  max?: number
}

/** Who may review, those who have an item now first and marked. */
export function QueuePeople({ assignees, active, max = 2 }: Props) {
  const others = assignees.filter((name) => !active.includes(name))
  const names = [...active, ...others]
  const isEveryone = assignees.length === 0
  const title = [
    isEveryone ? 'Everyone may review' : `Assigned: ${assignees.map(formatVisibleText).join(', ')}`,
    ...(active.length > 0 ? [`Reviewing now: ${active.map(formatVisibleText).join(', ')}`] : []),
  ].join('\n')
  return (
    <span title={title}>
      {names.slice(0, max).map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <ForeignText text={name} />
          {active.includes(name) && (
            <span className="text-good">
              {' '}
              ●<span className="sr-only"> reviewing now</span>
            </span>
          )}
        </span>
      ))}
      {names.length > max && <span className="text-quiet"> +{names.length - max}</span>}
      {isEveryone && <span className="text-quiet">{names.length > 0 ? ', everyone' : 'everyone'}</span>}
    </span>
  )
}
