import { useMemo, useState } from 'react'
import { toNumber } from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
import { useConnection } from '../../client/connection-context'
import type { TimeZone } from '../../format/instant'
import { useSteadyQuery } from '../../table/view/use-steady-query'
import { buildSpendChart, maxChartGroups, type Measure, measureGroup, type SpendChartData, toValues } from './build-spend-chart'
import { listCurrencies } from './spend-figures'
import { readKey, type SpendInput, spendRows, toGroupsInput, toIntervalsInput, toTotalInput } from './spend-rows'
import { formatUnnamed, type SpendView } from './spend-view'
import { colourSeries, type SeriesColours } from './series-colours'
import { sumGroups } from './sum-groups'
import { formatPreviousWindow, listIntervals, type SpendWindow, toPreviousWindow } from './spend-window'

type Options = {
  view: SpendView
  window: SpendWindow
  now: number
  zone: TimeZone
  /** The groups on screen; undefined while those of another view are. */
  rows: readonly SpendGroup[] | undefined
  /** Whether these are all groups. */
  isWholeList: boolean
  /** The first rows go first. */
  isEnabled: boolean
}

export type SpendFigures = {
  /** Undefined until it is known, null where nothing was spent. */
  total: SpendGroup | null | undefined
  /** Whether `total` has the counts of calls too: rows do not always add up to them. */
  areCallsCounted: boolean
  /** Undefined until it is known, null where the window before has nothing. */
  previous: SpendGroup | null | undefined
  /** What that window is called. */
  previousName: string
  currencies: readonly string[]
  measure: Measure
  chart: SpendChartData | undefined
  /** Values of each interval by group, for the groups on screen. */
  trends: ReadonlyMap<string, readonly number[]> | undefined
  seriesIndexes: ReadonlyMap<string, number>
  /** What the groups without a series of their own are called. */
  restName: string
  /** Why a figure above is missing. */
  error: Error | null
}

const sortOfBars = { spend: 'total', tokens: 'prompt_tokens', calls: 'call_count' } as const

/** The figures beside the table: the totals of this window and the one before, and what the chart draws. */
export function useSpendFigures({ view, window, now, zone, rows, isWholeList, isEnabled }: Options): SpendFigures {
  const { projectId } = useConnection()
  const { group } = view

  const total = useGroups(view, toTotalInput(projectId, view, window), isEnabled)
  const before = toPreviousWindow(window, now)
  const previous = useGroups(view, toGroupsInput(projectId, view, before ?? window, []), isEnabled && before !== undefined)
  const intervals = useGroups(view, toIntervalsInput(projectId, view, window, zone), isEnabled)

  // All groups add up to the total, so it stands there with them, before the service is asked for it.
  const isSum = !total.data && isWholeList && rows !== undefined && rows.length > 0 && view.whatif.length === 0
  const sum = useMemo(() => (isSum ? sumGroups(rows) : undefined), [isSum, rows])
  const whole = total.data ? (total.data.rows[0] ?? null) : sum
  const currencies = useMemo(() => (whole ? listCurrencies([whole]) : noNames), [whole])
  // Without a price there is no spend to see, but there is work.
  const kind = view.bars === 'spend' && whole?.costs.length === 0 ? 'tokens' : view.bars
  const currency = currencies.includes(view.currency) ? view.currency : (currencies[0] ?? '')
  const measure = useMemo((): Measure => ({ kind, currency }), [kind, currency])

  // The largest groups have a colour. Where the table is not in that order, they are asked for.
  const [sortKey, ...otherKeys] = view.sort
  const isTopOnScreen =
    view.page === 1 && sortKey?.id === sortOfBars[kind] && sortKey.direction === 'desc' && otherKeys.length === 0
  const topInput: SpendInput = {
    ...toGroupsInput(projectId, view, window, [group], maxChartGroups + 1),
    sort_by: [{ field: sortOfBars[kind], direction: 'desc' }],
  }
  const top = useGroups(view, topInput, isEnabled && !isTopOnScreen)
  const topRows = isTopOnScreen ? rows : top.isPrevious ? undefined : top.data?.rows
  const topKeys = useMemo(
    () =>
      topRows
        ?.filter((row) => measureGroup(row, measure).digits !== 0n)
        .flatMap((row) => readKey(row, group) ?? [])
        .slice(0, maxChartGroups),
    [topRows, group, measure],
  )
  const keys = useMemo(
    () => rows && topKeys && [...new Set([...topKeys, ...rows.flatMap((row) => readKey(row, group) ?? [])])],
    [rows, topKeys, group],
  )
  const groups = useGroups(
    view,
    toIntervalsInput(projectId, view, window, zone, { key: group, values: keys ?? noNames }),
    isEnabled && keys !== undefined && keys.length > 0,
  )

  const intervalRows = intervals.data?.rows
  const groupRows = keys?.length === 0 ? noRows : groups.isPrevious ? undefined : groups.data?.rows
  const isTotalKnown = whole !== undefined
  const shownWindow = intervals.isPrevious ? undefined : window
  const chart = useMemo(() => {
    // Before the total is known, so is no currency.
    if (!intervalRows || !groupRows || !topKeys || !shownWindow || !isTotalKnown) return undefined
    const starts = listIntervals(
      shownWindow,
      zone,
      intervalRows.map(({ interval = '' }) => Date.parse(interval)),
    )
    return buildSpendChart({ starts, intervals: intervalRows, groups: groupRows, group, keys: topKeys, measure })
  }, [intervalRows, groupRows, topKeys, shownWindow, isTotalKnown, zone, group, measure])
  const trends = useMemo(() => {
    if (!chart || !groupRows) return undefined
    const byKey = new Map<string, SpendGroup[]>()
    for (const row of groupRows) {
      const key = readKey(row, group) ?? ''
      byKey.set(key, [...(byKey.get(key) ?? []), row])
    }
    return new Map([...byKey].map(([key, own]) => [key, toValues(chart.starts, own, measure).map(toNumber)]))
  }, [chart, groupRows, group, measure])
  // In another window the groups have another order, and keep their colours.
  const [known, setKnown] = useState<{ group: string; colours: SeriesColours }>({ group, colours: new Map() })
  const { shown: seriesIndexes, all } = useMemo(
    () => colourSeries(topKeys ?? noNames, known.group === group ? known.colours : new Map()),
    [topKeys, known, group],
  )
  if (topKeys && all !== known.colours) setKnown({ group, colours: all })

  const others = isWholeList ? (rows ?? noRows).filter((row) => !topKeys?.includes(readKey(row, group) ?? '')) : noRows
  const isOnlyUnnamed = others.length > 0 && others.every((row) => readKey(row, group) === null)
  const queries = [total, previous, intervals, top, groups]
  return {
    total: whole,
    areCallsCounted: !isSum || group !== 'model',
    previous: previous.data && (previous.data.rows[0] ?? null),
    previousName: formatPreviousWindow(window, now),
    currencies,
    measure,
    chart,
    trends,
    seriesIndexes,
    restName: topKeys?.length === 0 ? 'all' : isOnlyUnnamed ? formatUnnamed(group) : 'others',
    error: queries.find(({ error }) => error)?.error ?? null,
  }
}

function useGroups(view: SpendView, input: SpendInput, enabled: boolean) {
  const connection = useConnection()
  return useSteadyQuery({ ...spendRows.toQuery(input, connection), enabled }, view)
}

const noRows: readonly SpendGroup[] = []
const noNames: readonly string[] = []
