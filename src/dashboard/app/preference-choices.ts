import type { TimeZone } from '../format/instant'
import type { Density } from '../format/preferences'
import type { Theme } from './preferences-store'

type Choice<Value> = { value: Value; label: string }

export const zones: readonly Choice<TimeZone>[] = [
  { value: 'local', label: 'Local time' },
  { value: 'utc', label: 'UTC' },
]
export const themes: readonly Choice<Theme>[] = [
  { value: 'system', label: 'Same as system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
export const densities: readonly Choice<Density>[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'regular', label: 'Regular' },
  { value: 'roomy', label: 'Roomy' },
]

/** The time zone of this device: "Europe/Berlin". */
export function localZoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
