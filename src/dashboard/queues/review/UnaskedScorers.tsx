import { ForeignText } from '../../format/ForeignText'
import type { UnaskedScorer } from './answer-fields'

/** The scorers of the queue that no person can answer, each with the reason. */
export function UnaskedScorers({ scorers }: { scorers: readonly UnaskedScorer[] }) {
  if (scorers.length === 0) return null
  return (
    <details className="text-quiet">
      <summary>{scorers.length === 1 ? '1 scorer is not asked' : `${scorers.length} scorers are not asked`}</summary>
      <ul>
        {scorers.map(({ ref, reason }) => (
          <li key={ref} className="py-1 wrap-anywhere">
            <ForeignText text={ref} />
            <span className="block">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
