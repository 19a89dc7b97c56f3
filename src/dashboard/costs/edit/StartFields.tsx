import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { formatDay, formatTime, formatZone } from '../../format/instant'
import { parseTimeText } from '../../format/parse-time-text'
import { usePreferences } from '../../format/preferences'
import { Field } from '../../ui/Field'
import { Radio } from '../../ui/Radio'
import { TextInput } from '../../ui/TextInput'
import type { PriceDraft } from './price-form'

type Props = {
  start: PriceDraft['start']
  startText: string
  /** The date of the record that is corrected. */
  recordDate: string | undefined
  error: string | undefined
  register: UseFormRegisterReturn
  onChange: (start: PriceDraft['start']) => void
  /** What happens to the earlier calls; '' where it is not known. */
  earlier: string
}

/** When the price starts. Calls are priced when they are read, so an earlier date prices past calls again. */
export function StartFields({ start, startText, recordDate, error, register, onChange, earlier }: Props) {
  const { zone } = usePreferences()
  const name = useId()
  const choices = [
    ...(recordDate === undefined
      ? []
      : [
          {
            value: 'record' as const,
            label: `From ${formatDay(recordDate, zone)}`,
            hint: 'when the wrong price started: its calls are priced again',
          },
        ]),
    { value: 'now' as const, label: 'From now on', hint: earlier },
    { value: 'other' as const, label: 'From another day or time', hint: earlier },
  ]
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1">Starts</legend>
      {choices.map(({ value, label, hint }) => (
        <label key={value} className="flex cursor-pointer items-baseline gap-2">
          <Radio
            name={name}
            choice={value}
            value={start}
            onChoose={() => onChange(value)}
            className="size-3.5 shrink-0 translate-y-0.5 cursor-pointer accent-accent"
          />
          <span>
            {label}
            {hint && value === start && <span className="text-quiet">{`, ${hint}`}</span>}
          </span>
        </label>
      ))}
      {start === 'other' && (
        <Field
          id="price-startText"
          label="Day or time"
          hint={readTime(startText, zone)}
          error={error}
          className="ml-5.5 max-w-80"
        >
          {(control) => <TextInput {...control} {...register} placeholder="YYYY-MM-DD HH:MM" className="tabular-nums" />}
        </Field>
      )}
    </fieldset>
  )
}

function readTime(text: string, zone: 'local' | 'utc'): string {
  const time = text.trim() === '' ? undefined : parseTimeText(text, zone)
  if (!time || 'problem' in time) return ''
  return time.day === undefined
    ? `${formatTime(time.instant, zone)} ${formatZone(zone, time.instant)}`
    : `from the start of ${time.day} in UTC`
}
