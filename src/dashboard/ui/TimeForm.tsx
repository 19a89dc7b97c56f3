import { type FormEvent, useId, useState } from 'react'
import { Button } from './Button'
import { ChoiceList } from './ChoiceList'
import { Icon } from './Icon'
import { TextInput } from './TextInput'

/** A text read as a time: the value to keep and the way it was understood, or what is wrong with it. */
export type TimeReading = { value: string; reading: string } | { problem: string }

type Props = {
  label: string
  /** Chosen with one click. */
  presets: readonly { value: string; label: string; hint?: string }[]
  preset: string | undefined
  onPreset: (value: string) => void
  /** One or two times to type. */
  fields: readonly { label: string; text: string }[]
  /** Reads a text that is not empty. */
  read: (text: string) => TimeReading
  /** What is wrong with the times together; shown at the last field. '' is a field without a time. */
  validate?: (values: readonly string[]) => string | undefined
  onApply: (values: readonly string[]) => void
  close: () => void
}

/** The popover of a filter by time: presets, and fields for ISO 8601 text. */
export function TimeForm({ label, presets, preset, onPreset, fields, read, validate, onApply, close }: Props) {
  const id = useId()
  const [texts, setTexts] = useState(() => fields.map(({ text }) => text))
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set())
  const readings = texts.map((text): TimeReading => (text.trim() === '' ? { value: '', reading: '' } : read(text)))
  const values = readings.flatMap((reading) => ('value' in reading ? [reading.value] : []))
  const conflict = values.length === readings.length ? validate?.(values) : undefined
  const last = fields.length - 1

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setChecked(new Set(fields.keys()))
    const wrong = readings.findIndex((reading) => 'problem' in reading)
    if (wrong < 0 && !conflict) {
      onApply(values)
      close()
      return
    }
    event.currentTarget.querySelectorAll<HTMLElement>('input[type=text]')[wrong < 0 ? last : wrong]?.focus()
  }
  return (
    <div className="w-72">
      <ChoiceList label={label} value={preset} choices={presets} onChoose={onPreset} close={close} />
      <form noValidate className="flex flex-col gap-1 border-t border-line p-3" onSubmit={submit}>
        {fields.map((field, index) => {
          const reading = readings[index]
          const own = reading && 'problem' in reading ? reading.problem : undefined
          const problem = checked.has(index) ? (own ?? (index === last ? conflict : undefined)) : undefined
          return (
            <div key={field.label}>
              <label htmlFor={`${id}-${index}`}>{field.label}</label>
              <TextInput
                id={`${id}-${index}`}
                placeholder="YYYY-MM-DD HH:MM"
                value={texts[index] ?? ''}
                aria-describedby={`${id}-${index}-note`}
                aria-invalid={problem ? true : undefined}
                onChange={({ target }) => setTexts(texts.with(index, target.value))}
                onBlur={() => setChecked(new Set([...checked, index]))}
                className="mt-1 tabular-nums"
              />
              {/* Two lines, always: the button must not move under the pointer that leaves a field. */}
              <p id={`${id}-${index}-note`} aria-live="polite" className="mt-0.5 min-h-8 text-xs text-quiet">
                {problem ? (
                  <span className="flex items-start gap-1 text-bad">
                    <Icon name="error" className="size-3 translate-y-0.5" />
                    <span className="min-w-0 break-words">{problem}</span>
                  </span>
                ) : (
                  reading && 'reading' in reading && reading.reading
                )}
              </p>
            </div>
          )
        })}
        <Button type="submit" variant="primary" className="self-end">
          Apply
        </Button>
      </form>
    </div>
  )
}
