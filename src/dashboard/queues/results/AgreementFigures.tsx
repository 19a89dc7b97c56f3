import { useId } from 'react'
import type { ScorerResult } from '../../../contract/queue-results'
import { formatCount } from '../../format/count'
import { type AgreementFigure, describeAgreement } from './describe-agreement'

/** How far people agree. What each figure says, and where its formula is from, appears on hover and focus. */
export function AgreementFigures({ result }: { result: ScorerResult }) {
  const figures = describeAgreement(result)
  if (figures.length === 0) return null
  const [first] = figures
  const isTooFew = figures.every(({ reason }) => reason?.startsWith('Not enough'))
  return (
    <div>
      <h3 className="mb-1">
        Agreement{' '}
        <span className="text-quiet">
          {isTooFew
            ? first?.reason
            : `of ${formatCount(String(result.agreement?.item_count ?? 0))} items with two answers or more`}
        </span>
      </h3>
      {!isTooFew && (
        <dl className="relative flex flex-wrap gap-x-6 gap-y-2">
          {figures.map((figure) => (
            <Figure key={figure.name} figure={figure} />
          ))}
        </dl>
      )}
    </div>
  )
}

function Figure({ figure: { name, value, reason, meaning, source } }: { figure: AgreementFigure }) {
  const id = useId()
  return (
    <div className="max-w-60">
      <dt className="text-xs text-quiet">
        <button type="button" aria-describedby={id} className="cursor-help underline decoration-dotted underline-offset-2">
          {name}
        </button>
        <span id={id} role="tooltip" className="figure-meaning">
          {meaning}
          <span className="mt-1 block text-quiet">{source}</span>
        </span>
      </dt>
      {value === undefined ? <dd className="text-quiet">{reason}</dd> : <dd className="text-lg tabular-nums">{value}</dd>}
    </div>
  )
}
