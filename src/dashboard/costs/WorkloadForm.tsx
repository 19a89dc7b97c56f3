import { type FormEvent, useId, useState } from 'react'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import type { SetView } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { ChoiceList } from '../ui/ChoiceList'
import { TextInput } from '../ui/TextInput'
import { type CostView, costParams } from './cost-view'
import { parseWorkload } from './workload'

type Props = { view: CostView; setView: SetView<CostView>; close: () => void }

const examples = [
  { value: '', label: 'None' },
  { value: '1000,300', label: 'A chat turn', hint: '1,000 + 300' },
  { value: '20000,500', label: 'A long document', hint: '20,000 + 500' },
]
const ownMix = { value: 'mix', label: 'This project, last 30 days', hint: 'all its tokens' }

const fields = [
  { name: 'prompt', label: 'Prompt tokens' },
  { name: 'cacheRead', label: 'of these from a cache' },
  { name: 'completion', label: 'Completion tokens' },
] as const

/** Chooses the tokens that prices are compared by. The cheapest model for them comes first. */
export function WorkloadForm({ view, setView, close }: Props) {
  const id = useId()
  const connection = useConnection()
  const chosen = parseWorkload(view.workload)
  const [texts, setTexts] = useState(() => ({
    prompt: String(chosen?.prompt ?? ''),
    cacheRead: String(chosen?.cacheRead || ''),
    completion: String(chosen?.completion ?? ''),
  }))
  const [isChecked, setIsChecked] = useState(false)
  // People group digits: 1,000 or 1 000.
  const [prompt, cacheRead, completion] = fields.map(({ name }) => texts[name].replace(/[\s,._]/g, '') || '0')
  const written = `${prompt},${completion}${cacheRead === '0' ? '' : `,${cacheRead}`}`
  const workload = parseWorkload(written)
  const isEmpty = workload && workload.prompt + workload.completion === 0
  const problem = isEmpty
    ? 'Write how many tokens a call has.'
    : workload
      ? undefined
      : 'Write whole numbers, and no more cached tokens than prompt tokens.'
  const choose = (value: string) =>
    setView({ workload: value, sort: value === '' ? costParams.sort.defaultValue : [{ id: 'workload', direction: 'asc' }] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (problem) return
    choose(written)
    close()
  }
  return (
    <div className="w-84 max-w-full">
      <ChoiceList
        label="Workload"
        value={view.workload}
        choices={usesSession(connection) ? [...examples, ownMix] : examples}
        onChoose={choose}
        close={close}
      />
      <form noValidate className="flex flex-col gap-2 border-t border-line p-3" onSubmit={submit}>
        {fields.map(({ name, label }) => (
          <div key={name} className="grid grid-cols-[1fr_112px] items-center gap-2">
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <TextInput
              id={`${id}-${name}`}
              inputMode="numeric"
              value={texts[name]}
              aria-describedby={`${id}-note`}
              aria-invalid={isChecked && problem ? true : undefined}
              onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              className="text-right tabular-nums"
            />
          </div>
        ))}
        <p id={`${id}-note`} aria-live="polite" className={`text-xs ${isChecked && problem ? 'text-bad' : 'text-quiet'}`}>
          {(isChecked && problem) || 'Each model is priced for these tokens, the cheapest first.'}
        </p>
        <Button type="submit" variant="primary" className="self-end">
          Apply
        </Button>
      </form>
    </div>
  )
}
