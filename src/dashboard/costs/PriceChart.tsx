import { useMemo } from 'react'
import { undatedEffectiveDate } from '../../contract/costs'
import type { ReceivedCost } from '../../contract/received-costs'
import { formatDay } from '../format/instant'
import { formatPrice } from '../format/money'
import { usePreferences } from '../format/preferences'
import { formatVisibleText } from '../format/visible-text'
import { LineChart } from '../ui/chart/LineChart'
import { findCostInForce } from './records/costs-in-force'

type Props = {
  /** All records of a model at one provider. */
  records: readonly ReceivedCost[]
  /** The moment of the view, in the wire's form. */
  asOf: string
}

const prices = [
  { name: 'Prompt', className: 'series-1', id: 'prompt_token_cost', unitField: 'prompt_token_cost_unit' },
  { name: 'Completion', className: 'series-2', id: 'completion_token_cost', unitField: 'completion_token_cost_unit' },
] as const

/** The prices in force over time, in steps. Nothing where they never changed: the table below has them all. */
export function PriceChart({ records, asOf }: Props) {
  const { zone } = usePreferences()
  const steps = useMemo(() => toPriceSteps(records, asOf), [records, asOf])
  const drawn = useMemo(() => {
    const lines = prices.map(({ className, id, unitField }) => ({
      className,
      // Amounts of two currencies have no common axis.
      values: steps.map(({ cost }) =>
        cost?.[unitField] === steps.at(-1)?.cost?.prompt_token_cost_unit ? (cost?.[id] ?? null) : null,
      ),
    }))
    return {
      xs: steps.map(({ atMs }) => atMs / 1000),
      lines: lines.filter(({ values }) => values.some((value) => value !== null)),
    }
  }, [steps])
  const formats = useMemo(
    () => ({
      x: (seconds: number) => formatDay(new Date(seconds * 1000).toISOString(), zone).slice(0, 10),
      y: (value: number) => (value === 0 ? '0' : formatPrice(value, '1M').text),
    }),
    [zone],
  )
  // The last step is the moment of the view.
  if (steps.length < 3) return null
  const unit = formatVisibleText(steps.at(-1)?.cost?.prompt_token_cost_unit ?? '')
  return (
    <figure className="pb-2">
      <LineChart
        label="The prices in force over time. The table below has the figures."
        xs={drawn.xs}
        lines={drawn.lines}
        isStepped
        formatX={formats.x}
        formatY={formats.y}
      />
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-quiet">
        {prices.map(({ name, className }) => (
          <span key={name}>
            <span aria-hidden="true" className={`series-mark ${className}`} />
            {name}
          </span>
        ))}
        <span>{`${unit} per 1M tokens`}</span>
      </figcaption>
    </figure>
  )
}

/**
 * The price in force from each moment at which it may have changed, and at the end the last one again. A price without a date
 * is known to be in force only from the first date on.
 */
export function toPriceSteps(records: readonly ReceivedCost[], asOf: string): { atMs: number; cost: ReceivedCost | undefined }[] {
  const dates = records.flatMap(({ effective_date: date }) => (date && date !== undatedEffectiveDate ? [date] : []))
  const steps = [...new Set(dates)]
    .map((date) => ({ atMs: Date.parse(date), cost: findCostInForce(records, date) }))
    .toSorted((left, right) => left.atMs - right.atMs)
    // A record that gives way to another one changes nothing.
    .filter(({ cost }, index, all) => index === 0 || cost !== all[index - 1]?.cost)
  const last = steps.at(-1)
  return last ? [...steps, { atMs: Math.max(Date.parse(asOf), last.atMs + minLastStepMs), cost: last.cost }] : []
}

// A scheduled price starts after the moment of the view, and must be seen too.
const minLastStepMs = 86_400_000
