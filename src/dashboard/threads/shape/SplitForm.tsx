import { formatTime, formatZone } from '../../format/instant'
import { parseTimeText } from '../../format/parse-time-text'
import { usePreferences } from '../../format/preferences'
import { TimeForm } from '../../ui/TimeForm'

type Props = { split: string; onChange: (split: string) => void; close: () => void }

/** The moment before and after which turns are compared, such as a release. */
export function SplitForm({ split, onChange, close }: Props) {
  const { zone } = usePreferences()
  return (
    <TimeForm
      label="Before and after"
      presets={[{ value: '', label: 'Compare nothing' }]}
      preset={split}
      onPreset={onChange}
      fields={[{ label: 'Moment, such as a release', text: split === '' ? '' : formatTime(split, zone) }]}
      read={(text) => {
        const read = parseTimeText(text, zone)
        if ('problem' in read) return read
        return { value: read.instant, reading: `${formatTime(read.instant, zone)} ${formatZone(zone, read.instant)}` }
      }}
      onApply={([value = '']) => onChange(value)}
      close={close}
    />
  )
}
