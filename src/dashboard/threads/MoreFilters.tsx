import { type FormEvent, useId, useState } from 'react'
import type { FilterField } from '../../contract/filter-values'
import { stringListParam } from '../table/view/url-params'
import type { SetView } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/Checkbox'
import { Segmented } from '../ui/Segmented'
import { TextInput } from '../ui/TextInput'
import { formatValues, parseValues } from './complete-list'
import { NoSearch } from './NoSearch'
import { SuggestInput } from './SuggestInput'
import type { ThreadView } from './thread-view'

type Props = { view: ThreadView; setView: SetView<ThreadView>; canSearch: boolean | undefined; close: () => void }

const list = stringListParam(100)
const isAmount = (text: string) => /^\d{1,15}(?:[.,]\d{1,15})?$/.test(text)
const isCount = (text: string) => /^\d{1,9}$/.test(text)
const isSeconds = (text: string) => isAmount(text) && Number(text.replace(',', '.')) < 1e6

/** A field: how its part of the view becomes text, and how text becomes that part again. */
type FieldOf = {
  label: string
  placeholder?: string
  unit?: string
  /** What its values are completed by. */
  suggests?: FilterField
  toText: (view: ThreadView) => string
  isValid: (text: string) => boolean
  problem?: string
  toView: (text: string) => Partial<ThreadView>
}

const anyText = () => true
const toMs = (seconds: string) => Math.round(Number(seconds.replace(',', '.')) * 1000)
const fromMs = (milliseconds: number) => (milliseconds === 0 ? '' : String(milliseconds / 1000))

const suggestedFields = { model: 'model', op: 'op_name', user: 'user' } as const

const listField = (label: string, param: keyof typeof suggestedFields, placeholder: string): FieldOf => ({
  label,
  placeholder,
  suggests: suggestedFields[param],
  toText: (view) => formatValues(view[param]),
  isValid: (text) => list.parse(text) !== undefined,
  problem: 'At most 100, with commas between them.',
  toView: (text) => ({ [param]: parseValues(text) }),
})

const durationField = (label: string, param: 'p50' | 'p99'): FieldOf => ({
  label,
  unit: 's',
  toText: (view) => fromMs(view[param]),
  isValid: isSeconds,
  problem: 'Write a number of seconds, such as 2.5.',
  toView: (text) => ({ [param]: text === '' ? 0 : toMs(text) }),
})

const fields: readonly FieldOf[] = [
  {
    label: 'Id begins with',
    toText: ({ prefix }) => prefix,
    isValid: anyText,
    toView: (text) => ({ prefix: text }),
  },
  listField('Model', 'model', 'gpt-4o, claude-sonnet-4-5'),
  listField('Operation', 'op', 'answer'),
  listField('User', 'user', ''),
  {
    label: 'Answer',
    placeholder: 'helpful = yes',
    toText: ({ answer }) => formatValues(answer),
    isValid: (text) => parseValues(text).length <= 10 && parseValues(text).every((each) => !/^\s*=/.test(each)),
    problem: 'Write the name of a scorer, and a value: helpful = yes.',
    toView: (text) => ({ answer: parseValues(text) }),
  },
  {
    label: 'Turns, at least',
    toText: ({ turns }) => (turns === 0 ? '' : String(turns)),
    isValid: isCount,
    problem: 'Write a whole number, such as 3.',
    toView: (text) => ({ turns: Number(text) }),
  },
  durationField('p50, at least', 'p50'),
  durationField('p99, at least', 'p99'),
  {
    label: 'Cost, at least',
    unit: 'USD',
    toText: ({ cost }) => cost,
    isValid: isAmount,
    problem: 'Write an amount, such as 0.25.',
    toView: (text) => ({ cost: text.replace(',', '.') }),
  },
]

/** Filters by what the calls of a thread are, and by figures. All that are set must hold. */
export function MoreFilters({ view, setView, canSearch, close }: Props) {
  const id = useId()
  const [texts, setTexts] = useState(() => fields.map(({ toText }) => toText(view)))
  const [isErrorsOnly, setIsErrorsOnly] = useState(view.errors === 'only')
  const [judged, setJudged] = useState(view.judged)
  const [isChecked, setIsChecked] = useState(false)
  const problems = fields.map(({ isValid, problem }, index) => {
    const text = texts[index]?.trim() ?? ''
    return text === '' || isValid(text) ? undefined : problem
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    const wrong = problems.findIndex((problem) => problem !== undefined)
    if (wrong >= 0) {
      document.getElementById(`${id}-${wrong}`)?.focus()
      return
    }
    const changes = fields.map(({ toView }, index) => toView(texts[index]?.trim() ?? ''))
    setView(Object.assign({ errors: isErrorsOnly ? 'only' : 'any', judged } as const, ...changes))
    close()
  }
  const clear = () => {
    setView(Object.assign({ errors: 'any', judged: 'any' } as const, ...fields.map(({ toView }) => toView(''))))
    close()
  }
  return (
    <form noValidate className="flex w-88 max-w-full flex-col gap-2 p-3" onSubmit={submit}>
      <NoSearch canSearch={canSearch} />
      <fieldset disabled={canSearch === false} className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5">
        <legend className="sr-only">More filters</legend>
        {fields.map(({ label, placeholder, unit, suggests }, index) => {
          const problem = isChecked ? problems[index] : undefined
          const change = (text: string) => setTexts(texts.with(index, text))
          const control = {
            id: `${id}-${index}`,
            placeholder,
            value: texts[index] ?? '',
            inputMode: unit === undefined ? undefined : ('decimal' as const),
            'aria-invalid': problem ? true : undefined,
            'aria-describedby': problem ? `${id}-${index}-problem` : undefined,
          }
          return (
            <div key={label} className="contents">
              <label htmlFor={`${id}-${index}`}>{label}</label>
              <span className="flex items-center gap-2">
                {suggests ? (
                  <SuggestInput {...control} field={suggests} onChange={change} />
                ) : (
                  <TextInput {...control} onChange={({ target }) => change(target.value)} />
                )}
                {unit && <span className="text-quiet">{unit}</span>}
              </span>
              {problem && (
                <p id={`${id}-${index}-problem`} role="alert" className="col-start-2 text-xs text-bad">
                  {problem}
                </p>
              )}
            </div>
          )
        })}
        <span>Judged</span>
        <span>
          <Segmented
            label="Judged by people"
            value={judged}
            options={[
              { value: 'any', label: 'Any' },
              { value: 'yes', label: 'Judged' },
              { value: 'no', label: 'Not judged' },
            ]}
            onChange={setJudged}
          />
        </span>
        <div className="col-start-2">
          <Checkbox
            label="Only threads with errors"
            checked={isErrorsOnly}
            onChange={({ target }) => setIsErrorsOnly(target.checked)}
          />
        </div>
        <div className="col-span-2 mt-1 flex justify-end gap-2">
          <Button onClick={clear}>Clear</Button>
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </fieldset>
    </form>
  )
}
