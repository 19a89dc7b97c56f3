import { formatTime, type TimeZone, formatZone } from '../format/instant'
import { Icon } from '../ui/Icon'
import type { ThreadView } from './thread-view'

const spans = { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days', all: '' } as const

/** The server filters turns, not threads: of a thread that goes on outside the window only some turns count. */
export function WindowNote({ view, zone }: { view: ThreadView; zone: TimeZone }) {
  const { window, after, before } = view
  const conditions = [
    after && `after ${formatTime(after, zone)} ${formatZone(zone, after)}`,
    before && `before ${formatTime(before, zone)} ${formatZone(zone, before)}`,
    !after && window !== 'all' && `in the last ${spans[window]}`,
  ].filter(Boolean)
  return (
    <p className="flex items-start gap-2 px-4 pb-2 text-quiet">
      <Icon name="info" className="mt-0.5" />
      {`All figures cover only the turns started ${conditions.join(' and ')}.`}
    </p>
  )
}
