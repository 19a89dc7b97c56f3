import { type FormEvent, useId, useState } from 'react'
import type { SetView } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { ChoiceList } from '../ui/ChoiceList'
import { TextInput } from '../ui/TextInput'
import type { ThreadView } from './thread-view'

type Props = { view: ThreadView; setView: SetView<ThreadView>; close: () => void }

const presets = [
  { value: '0', label: 'Mark none' },
  { value: '1000', label: '1 s' },
  { value: '5000', label: '5 s' },
  { value: '30000', label: '30 s' },
]

const fields = [
  { param: 'slow50', label: 'p50', placeholder: 'as p99' },
  { param: 'slow', label: 'p99', placeholder: '' },
] as const

const toSeconds = (text: string) => (text.trim() === '' ? 0 : Number(text.replace(',', '.')))
const isValid = (seconds: number) => seconds >= 0 && seconds < 1e6

/** From which durations p50 and p99 are marked as slow. Entered in seconds; the URL has milliseconds. */
export function SlowThreshold({ view, setView, close }: Props) {
  const id = useId()
  const [texts, setTexts] = useState(() => fields.map(({ param }) => (view[param] === 0 ? '' : String(view[param] / 1000))))
  const [isChecked, setIsChecked] = useState(false)
  const seconds = texts.map(toSeconds)
  const problem = isChecked && !seconds.every(isValid) ? 'Write a number of seconds, such as 2.5.' : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (!seconds.every(isValid)) return
    const [slow50 = 0, slow = 0] = seconds.map((each) => Math.round(each * 1000))
    setView({ slow, slow50 })
    close()
  }
  return (
    <div className="w-60">
      <ChoiceList
        label="Slow from"
        value={view.slow50 === 0 ? String(view.slow) : undefined}
        choices={presets}
        onChoose={(value) => setView({ slow: Number(value), slow50: 0 })}
        close={close}
      />
      <form noValidate className="border-t border-line p-3" onSubmit={submit}>
        <div className="grid grid-cols-[auto_1fr_auto] items-center gap-2">
          {fields.map(({ param, label, placeholder }, index) => (
            <div key={param} className="contents">
              <label htmlFor={`${id}-${param}`}>{label}</label>
              <TextInput
                id={`${id}-${param}`}
                inputMode="decimal"
                placeholder={placeholder}
                value={texts[index] ?? ''}
                aria-describedby={`${id}-note`}
                aria-invalid={problem && !isValid(seconds[index] ?? 0) ? true : undefined}
                onChange={({ target }) => setTexts(texts.with(index, target.value))}
                className="tabular-nums"
              />
              <span className="text-quiet">s</span>
            </div>
          ))}
          <Button type="submit" variant="primary" className="col-span-3 justify-self-end">
            Apply
          </Button>
        </div>
        <p id={`${id}-note`} aria-live="polite" className={`mt-0.5 min-h-8 text-xs ${problem ? 'text-bad' : 'text-quiet'}`}>
          {problem ?? 'Figures of at least this are marked.'}
        </p>
      </form>
    </div>
  )
}
