import { formatMs, toExclusiveStart } from '../../format/interval'
import type { OverviewView } from './overview-params'

/** The bounds of the wire. */
export type Bounds = { after_datetime?: string; before_datetime?: string }

/** The change of the view that keeps only turns from `startMs` until before `endMs`, never wider than the window is. */
export function narrowWindow({ after_datetime: after, before_datetime: before }: Bounds, startMs: number, endMs: number) {
  return {
    window: 'all',
    after: after !== undefined && Date.parse(after) >= startMs ? after : toExclusiveStart(startMs),
    before: before !== undefined && Date.parse(before) <= endMs ? before : formatMs(endMs),
  } as const
}

const hourMs = 3_600_000
const spanMs = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs, all: Infinity } as const

/** The two windows that are compared: before the moment and from it on, each at most as long as `span`. */
export function splitWindow<Filter extends Bounds>(filter: Filter, split: string, span: OverviewView['span']): [Filter, Filter] {
  const at = Date.parse(split)
  const { after_datetime: after, before_datetime: before } = filter
  const from = at - spanMs[span]
  const to = at + spanMs[span]
  const isFromInside = Number.isFinite(from) && (after === undefined || from > Date.parse(after))
  const isToInside = Number.isFinite(to) && (before === undefined || to < Date.parse(before))
  return [
    { ...filter, before_datetime: earlier(before, split), ...(isFromInside && { after_datetime: toExclusiveStart(from) }) },
    { ...filter, after_datetime: later(after, toExclusiveStart(at)), ...(isToInside && { before_datetime: formatMs(to) }) },
  ]
}

function earlier(bound: string | undefined, other: string): string {
  return bound !== undefined && Date.parse(bound) < Date.parse(other) ? bound : other
}

function later(bound: string | undefined, other: string): string {
  return bound !== undefined && Date.parse(bound) > Date.parse(other) ? bound : other
}
