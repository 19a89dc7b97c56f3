import type { RepricedSpend, SpendGroup } from '../../../contract/spend'
import { formatCurrency } from '../../format/amount'
import { formatDecimalChange } from '../../format/price-change'
import { Amount } from './Amount'
import { parsePlainDecimal } from '../../../contract/decimal'
import { listCurrencies, readTotal } from './spend-figures'
import type { ReferenceModel } from './spend-view'

type Props = {
  row: SpendGroup
  index: number
  references: readonly ReferenceModel[]
  /** The currency that the header of the amounts names. */
  currency: string | undefined
}

/** What the same calls would have cost on a reference model, and the difference where both cover the same calls. */
export function WhatIfCell({ row, index, references, currency: shownCurrency }: Props) {
  const repriced = readRepriced(row, references, index)
  if (repriced.length === 0) return <span className="text-faint">no price</span>
  return repriced.map(({ currency, total }, position) => (
    <span key={currency} className={repriced.length > 1 ? 'amount-line' : undefined}>
      <Amount amount={parsePlainDecimal(total)} currency={currency} isCurrencyShown={currency !== shownCurrency} />
      {position === 0 && (
        <span className="what-if-change">
          <WhatIfChange row={row} repriced={repriced} />
        </span>
      )}
    </span>
  ))
}

type ChangeProps = { row: SpendGroup; repriced: readonly RepricedSpend[]; hasReason?: boolean }

/** `hasReason`: why there is no difference is written out, not only in the tooltip. */
export function WhatIfChange({ row, repriced, hasReason = false }: ChangeProps) {
  const change = toWhatIfChange(row, repriced)
  if ('percent' in change) return <span className="text-xs text-quiet">{change.percent}</span>
  return hasReason ? (
    change.reason
  ) : (
    <span className="text-xs text-faint" title={change.reason}>
      <span aria-hidden="true">—</span>
      <span className="sr-only">{change.reason}</span>
    </span>
  )
}

/** The difference to what was paid, or why there is none: only what covers the same calls is compared. */
export function toWhatIfChange(row: SpendGroup, repriced: readonly RepricedSpend[]): { percent: string } | { reason: string } {
  const [other, ...more] = repriced
  const [currency, ...others] = listCurrencies([row])
  if (!other || more.length > 0 || others.length > 0) return { reason: 'Several currencies are not compared.' }
  if (currency === undefined) return { reason: 'These calls have no price to compare with.' }
  if (currency !== other.currency)
    return { reason: `${formatCurrency(currency)} and ${formatCurrency(other.currency)} are not compared.` }
  if (row.unpriced_call_count > 0) return { reason: 'Not compared: some calls have no price.' }
  if (other.call_count < row.call_count) return { reason: 'Not compared: it has no price for some of these calls.' }
  const paid = readTotal(row, currency)
  const percent = paid && formatDecimalChange(paid, parsePlainDecimal(other.total))
  return percent === undefined ? { reason: 'These calls cost nothing.' } : { percent }
}

/** The amounts on one reference model, one for each currency. The service gives models back as they were asked for. */
export function readRepriced(row: SpendGroup, references: readonly ReferenceModel[], index: number): RepricedSpend[] {
  const reference = references[index]
  return (row.repriced ?? []).filter(
    ({ llm_id, provider_id }) => llm_id === reference?.llm_id && (provider_id ?? undefined) === reference.provider_id,
  )
}
