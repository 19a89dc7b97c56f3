import { formatElapsed } from './duration'
import { formatExactTime, formatTime, type TimeZone } from './instant'

type Props = {
  iso: string
  zone: TimeZone
  /** Given: how long ago, beside it. */
  now?: number | undefined
}

/** A point in time in the chosen zone; the title has both zones and every digit. */
export function Time({ iso, zone, now }: Props) {
  return (
    <time dateTime={iso} title={formatExactTime(iso)}>
      {formatTime(iso, zone)}
      {now !== undefined && <span className="text-faint"> · {formatElapsed(iso, now)}</span>}
    </time>
  )
}
