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

/** From which duration p50 and p99 are marked as slow. Entered in seconds; the URL has milliseconds. */
export function SlowThreshold({ view, setView, close }: Props) {
  const id = useId()
  const [text, setText] = useState(view.slow === 0 ? '' : String(view.slow / 1000))
  const [isChecked, setIsChecked] = useState(false)
  const seconds = text.trim() === '' ? 0 : Number(text.replace(',', '.'))
  const problem = isChecked && !(seconds >= 0 && seconds < 1e6) ? 'Write a number of seconds, such as 2.5.' : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (!(seconds >= 0 && seconds < 1e6)) return
    setView({ slow: Math.round(seconds * 1000) })
    close()
  }
  return (
    <div className="w-60">
      <ChoiceList
        label="Slow from"
        value={String(view.slow)}
        choices={presets}
        onChoose={(value) => setView({ slow: Number(value) })}
        close={close}
      />
      <form noValidate className="border-t border-line p-3" onSubmit={submit}>
        <label htmlFor={id}>Seconds</label>
        <div className="mt-1 flex gap-2">
          <TextInput
            id={id}
            inputMode="decimal"
            value={text}
            aria-describedby={`${id}-note`}
            aria-invalid={problem ? true : undefined}
            onChange={({ target }) => setText(target.value)}
            className="tabular-nums"
          />
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
        <p id={`${id}-note`} aria-live="polite" className={`mt-0.5 min-h-4 text-xs ${problem ? 'text-bad' : 'text-quiet'}`}>
          {problem ?? 'p50 and p99 of at least this are marked.'}
        </p>
      </form>
    </div>
  )
}
