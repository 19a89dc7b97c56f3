import { useMemo, useState } from 'react'
import { type Decimal, toNumber } from '../../../contract/decimal'
import { formatAmount, formatCurrency } from '../../format/amount'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import type { TimeZone } from '../../format/instant'
import { usePreferences } from '../../format/preferences'
import { formatVisibleText } from '../../format/visible-text'
import { ChoiceChip } from '../../table/filter/ChoiceChip'
import type { SetView } from '../../table/view/use-url-state'
import { Button } from '../../ui/Button'
import { ChartTable } from '../../ui/chart/ChartTable'
import type { Tick } from '../../ui/chart/Plot'
import { type BarSeries, StackedBars } from '../../ui/chart/StackedBars'
import { toPlaceTicks } from '../../ui/chart/ticks'
import { Skeleton } from '../../ui/Skeleton'
import { toBudgetLine } from './budget-line'
import { useBudget } from './use-budget'
import type { SpendChartData } from './build-spend-chart'
import { formatShort, sumDecimals } from './spend-figures'
import type { SpendView } from './spend-view'
import { formatInterval, formatMs, formatTick } from '../../format/interval'
import { endOfInterval, type SpendWindow } from './spend-window'
import type { SeriesColours } from './series-colours'
import type { SpendFigures } from './use-spend-figures'
import { moreIcons } from '../../ui/more-icons'

type Props = {
  setView: SetView<SpendView>
  window: SpendWindow
  figures: SpendFigures
  /** What ops are called. */
  opNames: ReadonlyMap<string, string>
  /** Whether some calls of the window are left out. */
  isNarrowed: boolean
}

const bars = [
  { value: 'spend', label: 'Spend' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'calls', label: 'Calls' },
] as const

/** Bars for each interval, stacked by group, or the same figures as a table. */
export function SpendChart({ setView, window, figures, opNames, isNarrowed }: Props) {
  const { zone } = usePreferences()
  const [isTable, setIsTable] = useState(false)
  const { chart, measure, currencies, restName, seriesIndexes } = figures
  const { interval } = window
  const drawn = useMemo(() => chart && toDrawing(chart, seriesIndexes, window, zone), [chart, seriesIndexes, window, zone])
  const { state: budget } = useBudget()
  // The budget is for the whole project.
  const line = useMemo(
    () => (isNarrowed ? undefined : toBudgetLine(budget, measure, interval)),
    [isNarrowed, budget, measure, interval],
  )
  if (!chart || !drawn) return <Skeleton className="block! h-46 w-full" />

  const { starts, series, totals } = chart
  const unit = measure.kind === 'spend' ? formatCurrency(measure.currency) : measure.kind
  const format = (value: Decimal) =>
    measure.kind === 'spend' ? formatAmount(value).text : formatCount(String(Math.round(toNumber(value))))
  const names = series.map(({ key }) => (key === null ? restName : formatVisibleText(opNames.get(key) ?? key)))
  const sum = (values: readonly Decimal[], first: number, last: number) => sumDecimals(values.slice(first, last + 1))
  const toName = (index: number) => formatInterval(starts[index] ?? 0, interval, zone)
  const toSpan = (first: number, last: number) => (first === last ? toName(first) : `${toName(first)} to ${toName(last)}`)
  const listParts = (first: number, last: number) =>
    series
      .map(({ values }, index) => ({
        name: names[index],
        className: drawn.series[index]?.className,
        value: sum(values, first, last),
      }))
      .filter(({ value }) => value.digits !== 0n)
      .toReversed()
  const what = bars.find(({ value }) => value === measure.kind)?.label ?? ''
  const label = `${what} by ${interval}${measure.kind === 'spend' && unit ? `, ${unit}` : ''}`
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-1">
        <h2 className="font-semibold">{label}</h2>
        <ul
          className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-xs text-quiet max-lg:order-1 max-lg:basis-full"
          aria-label="Colours"
        >
          {series.map(({ key }, index) => (
            <li key={key ?? ''} className="flex min-w-0 items-center">
              <span aria-hidden="true" className={`series-mark ${drawn.series[index]?.className}`} />
              <span className="max-w-44 truncate">
                <ForeignText text={names[index] ?? ''} title={key ?? restName} isOneLine />
              </span>
            </li>
          ))}
        </ul>
        <span className="flex flex-wrap gap-2 print:hidden">
          <Button variant="quiet" icon={moreIcons.columns} aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            As a table
          </Button>
          {measure.kind === 'spend' && currencies.length > 1 && (
            <ChoiceChip
              label="Currency"
              value={measure.currency}
              choices={currencies.map((value) => ({ value, label: formatCurrency(value) }))}
              onChange={(currency) => setView({ currency })}
            />
          )}
          <ChoiceChip label="Bars" value={measure.kind} choices={bars} onChange={(next) => setView({ bars: next })} />
        </span>
      </div>
      {isTable ? (
        <ChartTable
          label={label}
          rowLabel={interval}
          columns={[
            { id: 'all', label: `All, ${unit}` },
            ...series.map(({ key }, index) => ({
              id: key ?? 'others',
              label: <ForeignText text={names[index] ?? ''} title={key ?? restName} isOneLine />,
            })),
          ]}
          rows={starts.map((start, index) => ({
            id: start,
            name: toName(index),
            values: [totals, ...series.map(({ values }) => values)].map((values) => format(sum(values, index, index))),
          }))}
        />
      ) : (
        <StackedBars
          label={label}
          count={starts.length}
          ticks={drawn.ticks}
          series={drawn.series}
          formatValue={formatShort}
          line={line}
          describe={(first, last) => {
            const parts = listParts(first, last).map(({ name, value }) => `${name} ${format(value)}`)
            return `${toSpan(first, last)}: ${format(sum(totals, first, last))} ${unit}${parts.length > 1 ? `; ${parts.join(', ')}` : ''}`
          }}
          renderReadout={(first, last) => (
            <>
              <p className="flex justify-between gap-6 font-semibold">
                <span>{toSpan(first, last)}</span>
                <span className="whitespace-nowrap tabular-nums">
                  {format(sum(totals, first, last))} {unit}
                </span>
              </p>
              {listParts(first, last).map(({ name, className, value }) => (
                <p key={className} className="flex items-center justify-between gap-6">
                  <span className="flex min-w-0 items-center">
                    <span className={`series-mark ${className}`} />
                    <bdi className="truncate">{name}</bdi>
                  </span>
                  <span className="tabular-nums">{format(value)}</span>
                </p>
              ))}
            </>
          )}
          onSelect={(first, last) =>
            setView({
              after: formatMs(starts[first] ?? 0),
              before: formatMs(endOfInterval(starts[last] ?? 0, interval, zone)),
            })
          }
        />
      )}
    </div>
  )
}

/** What is drawn, in doubles: pixels need no more. */
function toDrawing(
  { starts, series }: SpendChartData,
  seriesIndexes: SeriesColours,
  { interval }: SpendWindow,
  zone: TimeZone,
): { ticks: Tick[]; series: BarSeries[] } {
  return {
    ticks: toPlaceTicks(starts.map((start) => formatTick(start, interval, zone))),
    series: series.map(({ key, values }) => ({
      className: key === null ? 'series-rest' : `series-${seriesIndexes.get(key)}`,
      values: values.map(toNumber),
    })),
  }
}
