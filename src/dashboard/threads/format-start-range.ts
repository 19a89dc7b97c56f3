import { formatTime, type TimeZone } from '../format/instant'
import { toInclusiveStart } from '../format/interval'
import { type ThreadView, windows } from './thread-view'

/** `any time`, `in the last 24 h`, `after 2026-01-31 09:30`, `2026-01-31 09:30 to 2026-02-01 00:00`. */
export function formatStartRange(
  { window, after, before }: Pick<ThreadView, 'window' | 'after' | 'before'>,
  zone: TimeZone,
): string {
  const toText = (iso: string) => formatTime(iso, zone).replace(/:00$/, '')
  const from = toInclusiveStart(after)
  if (after && before) return `${toText(from ?? after)} to ${toText(before)}`
  if (after) return from ? `from ${toText(from)}` : `after ${toText(after)}`
  if (before) return `before ${toText(before)}`
  return windows.find(({ value }) => value === window)?.short ?? 'any time'
}
