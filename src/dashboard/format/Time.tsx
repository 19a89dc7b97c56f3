import { formatElapsed } from './relative-time'
import { formatExactTime, formatTime, type TimeZone } from './instant'

type Props = {
  iso: string
  zone: TimeZone
  /** With it, the time since then stands beside the date. */
  now?: number | undefined
}

/** A point in time in the chosen time zone. Its title shows both zones and the exact value. */
export function Time({ iso, zone, now }: Props) {
  return (
    <time dateTime={iso} title={formatExactTime(iso)}>
      {formatTime(iso, zone)}
      {now !== undefined && <span className="text-faint"> · {formatElapsed(iso, now)}</span>}
    </time>
  )
}
