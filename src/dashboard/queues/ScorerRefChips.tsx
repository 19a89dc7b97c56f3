import { type KeyboardEvent, useRef, useState } from 'react'
import { announce } from '../ui/announce'
import { TextInput } from '../ui/TextInput'
import { parseScorerRefs } from './parse-scorer-refs'
import { isBad, type ScorerRefState } from './scorers/scorer-ref-state'
import { ScorerRefChip } from './ScorerRefChip'

type Props = {
  refs: readonly ScorerRefState[]
  /** One React key for each reference. */
  keys: readonly string[]
  onReplace: (index: number, texts: readonly string[]) => void
  onRemove: (index: number) => void
  /** Makes a change, then moves the focus to a chip, or with undefined to the text field. */
  changeAndFocus: (change: () => void, index: number | undefined) => void
}

/** One tab stop: arrows move between chips, Enter edits, Delete and Backspace remove. */
export function ScorerRefChips({ refs, keys, onReplace, onRemove, changeAndFocus }: Props) {
  const [active, setActive] = useState(0)
  const [editedKey, setEditedKey] = useState<string>()
  const activeIndex = Math.min(active, refs.length - 1)

  const remove = (index: number, isBackwards: boolean) => {
    const next = isBackwards ? Math.max(0, index - 1) : Math.min(index, refs.length - 2)
    changeAndFocus(() => onRemove(index), refs.length > 1 ? next : undefined)
    announce(`Removed ${refs[index]?.text}`)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const focus = (target: number | undefined) => changeAndFocus(() => undefined, target)
    const target = {
      ArrowLeft: Math.max(0, index - 1),
      ArrowUp: Math.max(0, index - 1),
      ArrowRight: index + 1,
      ArrowDown: index + 1,
      Home: 0,
      End: refs.length - 1,
    }[event.key]
    if (target !== undefined) focus(target < refs.length ? target : undefined)
    else if (event.key === 'Delete') remove(index, false)
    else if (event.key === 'Backspace') remove(index, true)
    else if (event.key === 'Escape') focus(undefined)
    else return
    event.preventDefault()
  }
  const finishEdit = (index: number, text: string | undefined) => {
    changeAndFocus(() => {
      setEditedKey(undefined)
      if (text !== undefined) onReplace(index, parseScorerRefs(text))
    }, index)
  }

  if (refs.length === 0) return null
  return (
    <ul aria-label="Added scorer references" className="flex max-h-90 flex-wrap gap-1 overflow-y-auto p-1 pb-0">
      {refs.map((ref, index) => (
        <li key={keys[index]} className={isBad(ref) || editedKey === keys[index] ? 'w-full' : 'max-w-full'}>
          {editedKey === keys[index] ? (
            <ScorerRefEditor text={ref.text} onFinish={(text) => finishEdit(index, text)} />
          ) : (
            <ScorerRefChip
              id={`queue-ref-${index}`}
              scorerRef={ref}
              isTabStop={index === activeIndex}
              onFocus={() => setActive(index)}
              onEdit={() => setEditedKey(keys[index])}
              onKeyDown={(event) => onKeyDown(event, index)}
              onRemove={() => remove(index, false)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Replaces a chip while it is edited. Enter and blur keep the text; Escape finishes with undefined. */
function ScorerRefEditor({ text, onFinish }: { text: string; onFinish: (text: string | undefined) => void }) {
  // Enter removes the input, and its removal causes a blur: the edit must finish only once.
  const isFinished = useRef(false)
  const finish = (kept: string | undefined) => {
    if (isFinished.current) return
    isFinished.current = true
    onFinish(kept)
  }
  return (
    <TextInput
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the focused chip
      autoFocus
      aria-label="Edit the reference"
      defaultValue={text}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        finish(event.key === 'Enter' ? event.currentTarget.value : undefined)
      }}
      className="font-mono text-xs"
    />
  )
}
