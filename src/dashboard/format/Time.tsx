import { shownSince } from './duration'
import { exactInstant, shownInstant, type Zone } from './instant'

type Props = {
  iso: string
  zone: Zone
  /** Given: how long ago, beside it. */
  now?: number | undefined
}

/** A point in time in the chosen zone; the title has both zones and every digit. */
export function Time({ iso, zone, now }: Props) {
  return (
    <time dateTime={iso} title={exactInstant(iso)}>
      {shownInstant(iso, zone)}
      {now !== undefined && <span className="text-faint"> · {shownSince(iso, now)}</span>}
    </time>
  )
}
