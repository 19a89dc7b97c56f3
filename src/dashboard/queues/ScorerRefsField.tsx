import { type ClipboardEvent, type FocusEvent, useState } from 'react'
import { maxScorerRefs } from '../../contract/scorer-ref'
import { Field } from '../ui/Field'
import type { ChipState } from './chip-states'
import { readRefs } from './read-refs'
import { RefChips } from './RefChips'
import { RefSources } from './RefSources'
import { RefSummary } from './RefSummary'
import { useFocusLater } from './use-focus-later'

type Props = {
  chips: readonly ChipState[]
  /** Typed and not yet a chip. */
  text: string
  onText: (text: string) => void
  onChange: (refs: string[]) => void
  /** References this project's queues use already. */
  knownRefs: readonly string[]
  error: string | undefined
  /** The focus has left the whole field. */
  onLeave: () => void
}

/** Beyond this a paste is a mistake, and thousands of chips would only make it hard to undo. */
const mostChips = 500

/** Scorer references as chips: typed, pasted, dropped as a file, or picked from those in use. */
export function ScorerRefsField({ chips, text, onText, onChange, knownRefs, error, onLeave }: Props) {
  const refs = chips.map((chip) => chip.text)
  const [isDropTarget, setIsDropTarget] = useState(false)
  const focusLater = useFocusLater()

  const add = (more: readonly string[]) => {
    if (more.length > 0) onChange([...refs, ...more].slice(0, mostChips))
  }
  const take = (typed: string) => {
    add(readRefs(typed))
    onText('')
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    // A part of a reference is pasted as text; a whole one, or several, becomes chips at once.
    if (!pasted.includes('://') && !/[\n,]/.test(pasted.trim())) return
    event.preventDefault()
    add(readRefs(text + pasted))
    onText('')
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
    if (text.trim() !== '') take(text)
    onLeave()
  }

  return (
    <Field
      id="queue-refs"
      label="Scorer references"
      error={error}
      hint="Type one and press Enter, or paste many: lines, commas, a JSON array, code."
    >
      {(control) => (
        // What is dropped or left here belongs to the whole field.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys and presses belong to its controls
        <fieldset
          aria-label="Scorer references"
          className="min-w-0"
          onBlur={onBlur}
          onDragOver={(event) => {
            event.preventDefault()
            setIsDropTarget(true)
          }}
          onDragLeave={() => setIsDropTarget(false)}
          onDrop={(event) => {
            event.preventDefault()
            setIsDropTarget(false)
            const [file] = event.dataTransfer.files
            if (file) void file.text().then((content) => add(readRefs(content)))
            else add(readRefs(event.dataTransfer.getData('text')))
          }}
        >
          <div
            className={`rounded-md border bg-surface has-[>input:focus-visible]:border-accent has-[>input:focus-visible]:outline-1 has-[>input:focus-visible]:outline-accent ${isDropTarget ? 'border-dashed border-accent' : error ? 'border-bad' : 'border-line-strong'}`}
          >
            <RefChips chips={chips} onChange={onChange} focusLater={focusLater} />
            <input
              {...control}
              value={text}
              onChange={(event) => (/[,;]\s*$/.test(event.target.value) ? take(event.target.value) : onText(event.target.value))}
              onPaste={onPaste}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && text.trim() !== '') {
                  // Enter in an empty field submits, as in any form.
                  event.preventDefault()
                  take(text)
                }
                const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0
                if (chips.length > 0 && isAtStart && (event.key === 'Backspace' || event.key === 'ArrowLeft')) {
                  event.preventDefault()
                  focusLater(`queue-ref-${chips.length - 1}`)
                }
              }}
              placeholder={isDropTarget ? 'Drop it here' : 'weave:///entity/project/scorer/Name:v1'}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="h-8 w-full bg-transparent px-2 font-mono text-xs outline-none placeholder:text-faint"
            />
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
            <RefSources knownRefs={knownRefs.filter((ref) => !refs.includes(ref))} onAdd={add} />
            <span className={`ml-auto tabular-nums ${refs.length > maxScorerRefs ? 'text-bad' : 'text-quiet'}`}>
              {refs.length} of {maxScorerRefs}
            </span>
          </div>
          <RefSummary chips={chips} onChange={onChange} onJump={(index) => focusLater(`queue-ref-${index}`)} />
        </fieldset>
      )}
    </Field>
  )
}
