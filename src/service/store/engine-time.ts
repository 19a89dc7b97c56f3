import { formatInstant } from '../../contract/instant'

/** '2026-01-31T09:30:00.5Z', an instant of the wire, as the engine's text: '2026-01-31 09:30:00.500000' in UTC. */
export function toEngineTime(instant: string): string {
  // Of the calls that are stored each has one or two: cutting by place takes a third of the time of splitting.
  const fraction = instant.slice('2026-01-31T09:30:00.'.length, -1)
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)}.${fraction.padEnd(6, '0')}`
}

/** The engine's text as an instant of the wire: UTC with `Z`, and a fraction only if it is not zero. */
export function fromEngineTime(text: string): string {
  return `${text.replace(' ', 'T').replace('.000000', '')}Z`
}

/** The engine's text for microseconds since 1970. */
export function microsecondsToEngineTime(microseconds: number): string {
  return toEngineTime(formatInstant(BigInt(microseconds)))
}

/** The engine's text for milliseconds since 1970. */
export function msToEngineTime(ms: number): string {
  return toEngineTime(new Date(ms).toISOString())
}
