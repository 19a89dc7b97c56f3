import type { ReactNode } from 'react'
import { compareDecimals, type Decimal, divideDecimals, formatPlainDecimal, toDecimal, toNumber } from '../../contract/decimal'
import type { ReceivedCost } from '../../contract/received-costs'
import { ForeignText } from '../format/ForeignText'
import { formatPrice, formatRatio, type PriceUnit } from '../format/money'
import { usePreferences } from '../format/preferences'
import { formatVisibleText } from '../format/visible-text'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { IconButton } from '../ui/IconButton'
import { EffectiveDate, formatCurrencies, getCostRowId, getPriceRatio } from './cost-columns'
import { Amount } from './spend/Amount'
import { formatWorkload, priceWorkload, type Workload } from './workload'

type Props = {
  /** The ids of the compared prices. */
  ids: readonly string[]
  /** All records that are known; undefined while they are read. */
  records: readonly ReceivedCost[] | undefined
  unit: PriceUnit
  tokens: Workload | undefined
  onChange: (ids: readonly string[]) => void
}

const prices = [
  { name: 'Prompt', id: 'prompt_token_cost' },
  { name: 'Completion', id: 'completion_token_cost' },
  { name: 'Cached read', id: 'cache_read_input_token_cost' },
  { name: 'Cache write', id: 'cache_creation_input_token_cost' },
] as const

/** A few prices side by side, each figure with its factor against the lowest one. */
export function ComparePrices({ ids, records, unit, tokens, onChange }: Props) {
  const { zone } = usePreferences()
  const costs = ids.flatMap((id) => records?.find((cost) => getCostRowId(cost) === id) ?? [])
  const missingCount = records ? ids.length - costs.length : 0
  const isMixed = new Set(costs.map(formatCurrencies)).size > 1
  const close = () => onChange([])
  const row = (name: string, render: (cost: ReceivedCost) => ReactNode) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      {costs.map((cost) => (
        <td key={getCostRowId(cost)}>{render(cost)}</td>
      ))}
    </tr>
  )
  const comparedRow = (
    name: string,
    toAmount: (cost: ReceivedCost) => Decimal | undefined,
    render: (cost: ReceivedCost) => ReactNode,
  ) => {
    const amounts = costs.map(toAmount)
    if (amounts.every((amount) => amount === undefined)) return null
    const lowest = isMixed ? undefined : findLowest(amounts)
    return row(name, (cost) => (
      <>
        {render(cost)}
        <Factor amount={toAmount(cost)} lowest={lowest} />
      </>
    ))
  }
  return (
    <Dialog title="Compare prices" onClose={close} className="w-240" actions={<Button onClick={close}>Close</Button>}>
      {!records ? (
        'Reading the prices…'
      ) : (
        <>
          {missingCount > 0 && (
            <p className="pb-3 text-warn">
              {`${missingCount} of the ${ids.length} prices of this address ${missingCount === 1 ? 'is' : 'are'} not among the prices of this date.`}
            </p>
          )}
          <div className="overflow-x-auto">
            <table className="compare-prices" aria-label="Prices side by side">
              <thead>
                <tr>
                  <th scope="col">
                    <span className="sr-only">Figure</span>
                  </th>
                  {costs.map((cost) => (
                    <th key={getCostRowId(cost)} scope="col">
                      <span className="flex items-start justify-end gap-1">
                        <span className="line-clamp-3">
                          <ForeignText text={cost.llm_id ?? 'not set'} />
                        </span>
                        <IconButton
                          icon="x"
                          label={`Remove ${formatVisibleText(cost.llm_id ?? '')}`}
                          className="-my-1 -mr-1.5 shrink-0"
                          onClick={(event) => {
                            focusBeside(event.currentTarget)
                            onChange(ids.filter((id) => id !== getCostRowId(cost)))
                          }}
                        />
                      </span>
                      <span className="line-clamp-3 text-xs font-normal text-quiet">
                        {cost.provider_id === null ? 'not set' : <ForeignText text={cost.provider_id} />}
                      </span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {tokens &&
                  comparedRow(
                    `Workload, ${formatWorkload(tokens)} tokens`,
                    (cost) => priceWorkload(cost, tokens),
                    (cost) => {
                      const amount = priceWorkload(cost, tokens)
                      return amount ? (
                        <Amount amount={amount} currency={cost.prompt_token_cost_unit ?? '?'} isCurrencyShown />
                      ) : (
                        '—'
                      )
                    },
                  )}
                {prices.map(({ name, id }) =>
                  comparedRow(
                    `${name}, per ${unit === 'token' ? 'token' : `${unit} tokens`}`,
                    (cost) => (typeof cost[id] === 'number' ? toDecimal(cost[id]) : undefined),
                    (cost) => <Price price={cost[id]} unit={unit} />,
                  ),
                )}
                {row('Currency', (cost) => formatVisibleText(formatCurrencies(cost)))}
                {row('Completion / prompt', (cost) => {
                  const ratio = getPriceRatio(cost)
                  return ratio === undefined ? '—' : formatRatio(ratio)
                })}
                {row('Since', (cost) => (
                  <EffectiveDate cost={cost} zone={zone} />
                ))}
              </tbody>
            </table>
          </div>
          <p className="pt-3 text-xs text-quiet">
            {isMixed
              ? 'Prices in different currencies have no factor.'
              : 'The factor is the price over the lowest one of its line.'}
          </p>
        </>
      )}
    </Dialog>
  )
}

/** The pressed button goes with its column, so that of the next column takes the focus. */
function focusBeside(button: HTMLElement): void {
  const header = button.closest('th')
  for (const beside of [header?.nextElementSibling, header?.previousElementSibling]) {
    const next = beside?.querySelector('button')
    if (next) return next.focus()
  }
}

function Price({ price, unit }: { price: number | null | undefined; unit: PriceUnit }) {
  const shown = formatPrice(price, unit)
  return shown.kind === 'amount' ? (
    <span title={shown.exact}>{shown.text}</span>
  ) : (
    <span className="text-quiet">{shown.text}</span>
  )
}

function Factor({ amount, lowest }: { amount: Decimal | undefined; lowest: Decimal | undefined }) {
  if (!amount || !lowest) return null
  if (formatPlainDecimal(amount) === formatPlainDecimal(lowest)) return <small className="text-good">lowest</small>
  // Nothing is a multiple of nothing.
  return lowest.digits === 0n ? null : (
    <small className="text-quiet">{formatRatio(toNumber(divideDecimals(amount, lowest)))}</small>
  )
}

function findLowest(amounts: readonly (Decimal | undefined)[]): Decimal | undefined {
  return amounts.reduce(
    (lowest, amount) => (amount && (!lowest || compareDecimals(amount, lowest) < 0) ? amount : lowest),
    undefined,
  )
}
