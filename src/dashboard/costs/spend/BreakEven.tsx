import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { choosePrice, isEffective } from '../../../contract/compare-prices'
import { toDecimal, toNumber } from '../../../contract/decimal'
import type { ReceivedCost } from '../../../contract/received-costs'
import type { SpendGroup } from '../../../contract/spend'
import { useConnection } from '../../client/connection-context'
import { ForeignText } from '../../format/ForeignText'
import { formatPrice } from '../../format/money'
import { formatVisibleText } from '../../format/visible-text'
import { LineChart } from '../../ui/chart/LineChart'
import { modelCostsQuery } from '../records/model-costs-query'
import { findBreakEven, type MixPrice, toCompletionShare, toPaidPrice } from './break-even'
import { formatShare } from './spend-figures'
import type { ReferenceModel } from './spend-view'

type Props = {
  total: SpendGroup
  currency: string
  /** Keep the array while nothing changes. */
  references: readonly ReferenceModel[]
}

// Shares of completion tokens, in percent: two points make a line.
const percents = [0, 100]

/** From which mix of prompt and completion tokens on another model is cheaper than what is paid. */
export function BreakEven({ total, currency, references }: Props) {
  const connection = useConnection()
  const [openedAt] = useState(() => new Date().toISOString())
  const models = references.map(({ llm_id }) => llm_id)
  const { data, error, isPending } = useQuery(modelCostsQuery([...new Set(models)], connection))
  const records = data?.rows
  const paid = useMemo(() => toPaidPrice(total, currency), [total, currency])
  const share = toCompletionShare(total)
  const candidates = useMemo(
    () =>
      references.flatMap((reference, index) => {
        const cost = findPrice(records ?? [], reference, openedAt)
        const price = cost && toMixPrice(cost, currency)
        return price ? [{ reference, price, className: `series-${index + 2}` }] : []
      }),
    [references, records, openedAt, currency],
  )
  const lines = useMemo(
    () =>
      [...(paid ? [{ price: paid, className: 'series-1' }] : []), ...candidates].map(({ price, className }) => ({
        className,
        values: [toNumber(price.prompt), toNumber(price.completion)],
      })),
    [paid, candidates],
  )
  const mark = useMemo(() => (share === undefined ? undefined : { x: share * 100, label: `now ${formatShare(share)}` }), [share])
  if (!paid) return null
  const unit = formatVisibleText(currency)
  return (
    <details className="pt-2">
      <summary className="font-semibold">Break-even mix</summary>
      <div className="grid gap-x-6 gap-y-2 pt-2 sm:grid-cols-2">
        <LineChart
          label={`${unit} per 1M tokens by the share of completion tokens. The list beside it has the mixes at which prices are equal.`}
          xs={percents}
          lines={lines}
          formatX={formatPercent}
          formatY={formatPerMillion}
          mark={mark}
        />
        <div>
          <p className="text-xs text-quiet">
            {`${unit} per 1M tokens, by the share of completion tokens. Paid: the average of these calls, caches included. Others: their prices now, without caches and steps.`}
          </p>
          <ul className="pt-1">
            <li>
              <span aria-hidden="true" className="series-mark series-1" />
              Paid{share !== undefined && `, at ${formatShare(share)} completion tokens`}
            </li>
            {candidates.map(({ reference, price, className }) => (
              <li key={`${reference.llm_id} ${reference.provider_id}`}>
                <span aria-hidden="true" className={`series-mark ${className}`} />
                <ForeignText text={reference.llm_id} />
                {`: ${describe(paid, price)}`}
              </li>
            ))}
          </ul>
          {error ? (
            <p className="text-warn">{`The prices could not be read. ${error.message}`}</p>
          ) : (
            !isPending &&
            candidates.length < references.length && (
              <p className="text-quiet">{`Models without prompt and completion prices in ${unit} are not drawn.`}</p>
            )
          )}
        </div>
      </div>
    </details>
  )
}

/** The record in force now that prices the calls on a reference model. */
function findPrice(records: readonly ReceivedCost[], { llm_id, provider_id }: ReferenceModel, now: string) {
  return choosePrice(
    records.filter(
      (cost) =>
        cost.llm_id === llm_id && (provider_id === undefined || cost.provider_id === provider_id) && isEffective(cost, now),
    ),
    now,
  )
}

function toMixPrice(cost: ReceivedCost, currency: string): MixPrice | undefined {
  const { prompt_token_cost: prompt, completion_token_cost: completion } = cost
  if (cost.prompt_token_cost_unit !== currency || cost.completion_token_cost_unit !== currency) return undefined
  return prompt === null || completion === null ? undefined : { prompt: toDecimal(prompt), completion: toDecimal(completion) }
}

function describe(paid: MixPrice, other: MixPrice): string {
  const share = findBreakEven(paid, other)
  const isCheaperAtZero = toNumber(other.prompt) < toNumber(paid.prompt)
  if (share === undefined) return isCheaperAtZero ? 'cheaper at any mix' : 'not cheaper at any mix'
  return isCheaperAtZero
    ? `cheaper up to ${formatShare(share)} completion tokens`
    : `cheaper from ${formatShare(share)} completion tokens on`
}

const formatPercent = (percent: number) => `${percent} %`
const formatPerMillion = (price: number) => (price === 0 ? '0' : formatPrice(price, '1M').text)
