import { formatTime, type TimeZone, formatZone } from '../format/instant'
import { toInclusiveStart } from '../format/interval'
import { TableNote } from '../table/grid/TableNote'
import type { ThreadView } from './thread-view'

const spans = { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days', all: '' } as const

/** The server filters turns, not threads: of a thread that goes on outside the window only some turns count. */
export function WindowNote({ view, zone }: { view: ThreadView; zone: TimeZone }) {
  const { window, after, before } = view
  const from = toInclusiveStart(after)
  const conditions = [
    after && `${from ? 'from' : 'after'} ${formatTime(from ?? after, zone)} ${formatZone(zone, after)}`,
    before && `before ${formatTime(before, zone)} ${formatZone(zone, before)}`,
    !after && window !== 'all' && `in the last ${spans[window]}`,
  ].filter(Boolean)
  return <TableNote>{`All figures cover only the turns started ${conditions.join(' and ')}.`}</TableNote>
}
