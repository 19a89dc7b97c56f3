import { formatTime, formatZone } from '../format/instant'
import { parseTimeText } from '../format/parse-time-text'
import { usePreferences } from '../format/preferences'
import type { SetView } from '../table/view/use-url-state'
import { TimeForm } from '../ui/TimeForm'
import type { ThreadView } from './thread-view'

type Props = {
  view: ThreadView
  setView: SetView<ThreadView>
  // Not imported: the popovers are one file, which must not need that of the threads.
  windows: readonly { value: ThreadView['window']; label: string }[]
  close: () => void
}

/** A time range for the start of turns: the last so many hours or days, or two times in the chosen time zone. */
export function StartBounds({ view, setView, windows, close }: Props) {
  const { zone } = usePreferences()
  const toText = (iso: string) => (iso === '' ? '' : formatTime(iso, zone))
  return (
    <TimeForm
      label="Turns started"
      presets={windows}
      preset={view.after || view.before ? undefined : view.window}
      onPreset={(value) =>
        setView({ window: windows.find((each) => each.value === value)?.value ?? 'all', after: '', before: '' })
      }
      fields={[
        { label: 'After', text: toText(view.after) },
        { label: 'Before', text: toText(view.before) },
      ]}
      read={(text) => {
        const read = parseTimeText(text, zone)
        if ('problem' in read) return read
        return { value: read.instant, reading: `${formatTime(read.instant, zone)} ${formatZone(zone, read.instant)}` }
      }}
      validate={([after = '', before = '']) =>
        after && before && Date.parse(before) <= Date.parse(after) ? 'Must be later than the time above.' : undefined
      }
      onApply={([after = '', before = '']) => setView({ window: 'all', after, before })}
      close={close}
    />
  )
}
