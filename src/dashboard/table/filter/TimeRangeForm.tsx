import { formatTime, formatZone } from '../../format/instant'
import { parseTimeText } from '../../format/parse-time-text'
import { usePreferences } from '../../format/preferences'
import { TimeForm } from '../../ui/TimeForm'

/** Instants, '' where a side is open. */
type TimeRange = { after: string; before: string }

type Props<Preset extends string> = {
  label: string
  /** What the two bounds are called. */
  bounds: readonly [string, string]
  presets: readonly { value: Preset; label: string; hint?: string }[]
  preset: Preset
  range: TimeRange
  onPreset: (preset: Preset) => void
  onRange: (range: TimeRange) => void
  close: () => void
}

/** The popover of a filter by time: the last hours or days, or two times in the chosen time zone. */
export function TimeRangeForm<Preset extends string>(props: Props<Preset>) {
  const { label, bounds, presets, preset, range, onPreset, onRange, close } = props
  const { zone } = usePreferences()
  const toField = (index: 0 | 1, iso: string) => ({ label: bounds[index], text: iso === '' ? '' : formatTime(iso, zone) })
  return (
    <TimeForm
      label={label}
      presets={presets}
      preset={range.after || range.before ? undefined : preset}
      onPreset={(chosen) => {
        const found = presets.find(({ value }) => value === chosen)
        if (found) onPreset(found.value)
      }}
      fields={[toField(0, range.after), toField(1, range.before)]}
      read={(text) => {
        const read = parseTimeText(text, zone)
        if ('problem' in read) return read
        return { value: read.instant, reading: `${formatTime(read.instant, zone)} ${formatZone(zone, read.instant)}` }
      }}
      validate={([after = '', before = '']) =>
        after && before && Date.parse(before) <= Date.parse(after) ? 'Must be later than the time above.' : undefined
      }
      onApply={([after = '', before = '']) => onRange({ after, before })}
      close={close}
    />
  )
}
