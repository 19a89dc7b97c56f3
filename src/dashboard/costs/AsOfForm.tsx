import { useState } from 'react'
import { formatTime, formatZone } from '../format/instant'
import { parseTimeText } from '../format/parse-time-text'
import { usePreferences } from '../format/preferences'
import { TimeForm } from '../ui/TimeForm'
import { formatAsOf } from './cost-view'

type Props = {
  /** A day, an instant, or '' for now. */
  asOf: string
  onChange: (asOf: string) => void
  close: () => void
}

const dayMs = 86_400_000
const presets = [
  { label: 'Now', daysAgo: 0 },
  { label: 'Yesterday', daysAgo: 1 },
  { label: '7 days ago', daysAgo: 7 },
  { label: '30 days ago', daysAgo: 30 },
  { label: 'A year ago', daysAgo: 365 },
]

/** Chooses the moment whose prices are shown: the end of a day in UTC, or an exact time. */
export function AsOfForm({ asOf, onChange, close }: Props) {
  const { zone } = usePreferences()
  const [openedAt] = useState(() => Date.now())
  return (
    <TimeForm
      label="Prices as of"
      presets={presets.map(({ label, daysAgo }) => {
        const day = daysAgo === 0 ? '' : new Date(openedAt - daysAgo * dayMs).toISOString().slice(0, 10)
        return { label, value: day, hint: day }
      })}
      preset={asOf}
      onPreset={onChange}
      fields={[{ label: 'Day or time', text: formatAsOf(asOf, zone) }]}
      read={(text) => {
        const read = parseTimeText(text, zone)
        if ('problem' in read) return read
        return read.day === undefined
          ? { value: read.instant, reading: `${formatTime(read.instant, zone)} ${formatZone(zone, read.instant)}` }
          : { value: read.day, reading: `The end of ${read.day} in UTC` }
      }}
      onApply={([value = '']) => onChange(value)}
      close={close}
    />
  )
}
