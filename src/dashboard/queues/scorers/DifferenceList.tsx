import { ForeignText } from '../../format/ForeignText'
import type { Difference } from './list-differences'

/** What a newer version changed. */
export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <p>Nothing that reviewers see is different.</p>
  return (
    <ul aria-label="What changed" className="list-disc pl-5">
      {differences.map(({ what, before, after }) => (
        <li key={`${what} ${before} ${after}`} className="break-words">
          {what}
          {(before ?? after) !== undefined && ': '}
          {before !== undefined && (
            <del className="text-quiet">
              <ForeignText text={before} />
            </del>
          )}
          {before !== undefined && after !== undefined && ' → '}
          {after !== undefined && <ForeignText text={after} />}
        </li>
      ))}
    </ul>
  )
}
