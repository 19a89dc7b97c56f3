import { formatTime, formatZone } from '../../format/instant'
import { parseTimeText } from '../../format/parse-time-text'
import { usePreferences } from '../../format/preferences'
import type { SetView } from '../../table/view/use-url-state'
import { TimeForm } from '../../ui/TimeForm'
import type { SpendView } from './spend-view'

type Props = { view: SpendView; setView: SetView<SpendView>; close: () => void }

const presets = [
  { value: '24h', label: 'Last 24 hours', hint: 'by hour' },
  { value: '7d', label: 'Last 7 days', hint: 'by day' },
  { value: '30d', label: 'Last 30 days', hint: 'by day' },
] as const

/** The window: the last hours or days, or two times in the chosen time zone. */
export function WindowForm({ view, setView, close }: Props) {
  const { zone } = usePreferences()
  const toText = (iso: string) => (iso === '' ? '' : formatTime(iso, zone))
  return (
    <TimeForm
      label="Window"
      presets={presets}
      preset={view.after || view.before ? undefined : view.window}
      onPreset={(value) =>
        setView({ window: presets.find((each) => each.value === value)?.value ?? '30d', after: '', before: '' })
      }
      fields={[
        { label: 'From', text: toText(view.after) },
        { label: 'To, not included', text: toText(view.before) },
      ]}
      read={(text) => {
        const read = parseTimeText(text, zone)
        if ('problem' in read) return read
        return { value: read.instant, reading: `${formatTime(read.instant, zone)} ${formatZone(zone, read.instant)}` }
      }}
      validate={([after = '', before = '']) =>
        after && before && Date.parse(before) <= Date.parse(after) ? 'Must be later than the time above.' : undefined
      }
      onApply={([after = '', before = '']) => setView({ after, before })}
      close={close}
    />
  )
}
