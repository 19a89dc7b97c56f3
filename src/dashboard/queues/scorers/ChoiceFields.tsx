import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatQuantity } from '../../format/count'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { IconButton } from '../../ui/IconButton'
import { TextArea, TextInput } from '../../ui/TextInput'

type Props = { choices: readonly string[]; error: string | undefined; onChange: (choices: string[]) => void }

const toId = (index: number) => (index === 0 ? 'scorer-choices' : `scorer-choices-${index}`)

/** A field for each of thousands would hold up every key. */
const maxFields = 100

/** The categories, a field each; many are one text, a line each. Enter adds one, Alt with an arrow moves one, Backspace in an empty one removes it. */
export function ChoiceFields({ choices, error, onChange }: Props) {
  // It stays a text while somebody deletes lines of it.
  const [isText, setIsText] = useState(false)
  if (!isText && choices.length > maxFields && !choices.some((choice) => choice.includes('\n'))) setIsText(true)
  const change = (next: readonly string[], focused: number) => {
    // Rendered first, so that the field to focus exists.
    flushSync(() => onChange(next.length === 0 ? [''] : [...next]))
    const field = document.getElementById(toId(Math.min(focused, Math.max(0, next.length - 1))))
    ;(field ?? document.getElementById(toId(0)))?.focus()
  }
  const insert = (index: number, added: readonly string[], removedCount = 0) =>
    change(choices.toSpliced(index, removedCount, ...added), index + added.length - 1)
  const remove = (index: number, focused = index) => change(choices.toSpliced(index, 1), Math.max(0, focused))
  const move = (index: number, target: number) => {
    if (target < 0 || target >= choices.length) return
    change(choices.toSpliced(index, 1).toSpliced(target, 0, choices[index] ?? ''), target)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step !== undefined && event.altKey) move(index, index + step)
    else if (step !== undefined) document.getElementById(toId(index + step))?.focus()
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) insert(index + 1, [''])
    else if (event.key === 'Backspace' && choices[index] === '' && choices.length > 1) remove(index, index - 1)
    else return
    event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent, index: number) => {
    const lines = event.clipboardData.getData('text').split(/[\n\r\t]+/)
    const pasted = lines.map((line) => line.trim()).filter((line) => line !== '')
    if (pasted.length < 2) return
    event.preventDefault()
    // An empty field is filled; text that is there already stays.
    insert(choices[index] === '' ? index : index + 1, pasted, choices[index] === '' ? 1 : 0)
  }
  if (isText) {
    return (
      <Field id={toId(0)} label="Categories" hint={`A line each: ${formatQuantity(choices.length, 'line')}.`} error={error}>
        {(control) => (
          <TextArea
            {...control}
            rows={12}
            value={choices.join('\n')}
            dir="auto"
            onChange={({ target }) => onChange(target.value.split('\n'))}
          />
        )}
      </Field>
    )
  }
  return (
    <Field id={toId(0)} label="Categories" hint="Paste many at once, a line each. Alt+↑ and Alt+↓ move one." error={error}>
      {(control) => (
        <>
          <ol className="flex max-h-80 flex-col gap-1 overflow-y-auto p-0.5">
            {choices.map((choice, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a field has no other identity: its text may repeat
              <li key={index} className="flex items-center">
                <TextInput
                  {...control}
                  id={toId(index)}
                  aria-label={`Category ${index + 1}`}
                  value={choice}
                  dir="auto"
                  onChange={({ target }) => onChange(choices.with(index, target.value))}
                  onKeyDown={(event) => onKeyDown(event, index)}
                  onPaste={(event) => onPaste(event, index)}
                />
                <IconButton
                  label={`Move category ${index + 1} up`}
                  icon="arrow-up"
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <IconButton
                  label={`Move category ${index + 1} down`}
                  icon="arrow-down"
                  disabled={index === choices.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <IconButton label={`Remove category ${index + 1}`} icon="x" onClick={() => remove(index)} />
              </li>
            ))}
          </ol>
          <Button icon="plus" className="self-start" onClick={() => insert(choices.length, [''])}>
            Add a category
          </Button>
        </>
      )}
    </Field>
  )
}
