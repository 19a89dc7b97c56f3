import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { maxScorerRefs } from '../../contract/scorer-ref'
import { formatCount } from '../format/count'
import { formatVisibleText } from '../format/visible-text'
import { Field } from '../ui/Field'
import { parseScorerRefs } from './parse-scorer-refs'
import type { QueueFormValues } from './queue-form'
import { toScorerRefStates } from './scorers/scorer-ref-state'
import { useRefVersions } from '../client/object-versions'
import { MakeScorerButton, ScorerDialog } from './scorers/ScorerDialog'
import { ScorerPicker } from './scorers/ScorerPicker'
import { ScorerRefChips } from './ScorerRefChips'
import { ScorerRefFile } from './ScorerRefFile'
import { ScorerRefSummary } from './ScorerRefSummary'

type Props = {
  form: UseFormReturn<QueueFormValues>
  projectId: string
  /** References that queues of this project already use. */
  knownRefs: readonly string[]
  error: string | undefined
}

/** A queue takes 100. A longer paste is shown so that it can be cut down, but thousands of chips help nobody. */
const maxChips = 500

/** Scorer references as chips: typed, pasted, dropped as a file, or picked from those in use. */
export function ScorerRefsField({ form, projectId, knownRefs, error }: Props) {
  const { fields, append, remove, update, insert } = useFieldArray({ control: form.control, name: 'scorer_refs' })
  const [isDropTarget, setIsDropTarget] = useState(false)
  const [leftOutCount, setLeftOutCount] = useState(0)
  const [madeNotice, setMadeNotice] = useState('')
  const { data: versions, isPlaceholderData } = useRefVersions(
    fields.map(({ text }) => text),
    true,
  )
  const refs = toScorerRefStates(fields, projectId, versions, !isPlaceholderData)
  const newRef = form.register('newRef')

  const add = (texts: readonly string[]) => {
    const fitting = takeFitting(texts, fields.length)
    if (fitting.length > 0) append(fitting, { shouldFocus: false })
  }
  /** The texts that the list has room for. The others are counted: nothing is dropped in silence. */
  const takeFitting = (texts: readonly string[], takenCount: number) => {
    const fitting = texts.slice(0, Math.max(0, maxChips - takenCount))
    setLeftOutCount(texts.length - fitting.length)
    return fitting.map((text) => ({ text }))
  }
  const addTyped = (text: string) => {
    add(parseScorerRefs(text))
    form.setValue('newRef', '')
  }
  /** Rendered first, so that the element to focus exists. */
  const changeAndFocus = (change: () => void, index: number | undefined) => {
    flushSync(change)
    document.getElementById(index === undefined ? 'queue-refs' : `queue-ref-${index}`)?.focus()
  }
  const replace = (index: number, texts: readonly string[]) => {
    const [first, ...rest] = texts
    if (first === undefined) return remove(index)
    update(index, { text: first })
    const fitting = takeFitting(rest, fields.length)
    if (fitting.length > 0) insert(index + 1, fitting, { shouldFocus: false })
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    // Part of a reference is pasted as text. A whole reference, or several, become chips at once.
    if (!pasted.includes('://') && !/[\n,]/.test(pasted.trim())) return
    event.preventDefault()
    addTyped(form.getValues('newRef') + pasted)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget
    if (event.key === 'Enter' && value.trim() !== '') {
      // Enter in an empty field submits, as in any form.
      event.preventDefault()
      addTyped(value)
    }
    const isAtStart = selectionStart === 0 && selectionEnd === 0
    if (fields.length > 0 && isAtStart && (event.key === 'Backspace' || event.key === 'ArrowLeft')) {
      event.preventDefault()
      document.getElementById(`queue-ref-${fields.length - 1}`)?.focus()
    }
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
    const typed = form.getValues('newRef')
    if (typed.trim() !== '') addTyped(typed)
    else void form.trigger('scorer_refs')
  }

  const field = (
    <Field
      id="queue-refs"
      label="Scorer references"
      error={error}
      hint="Type one and press Enter, or paste many: lines, commas, a JSON array, code."
    >
      {(control) => (
        // Drops and blurs anywhere in the field belong to the whole field.
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
            if (file) void file.text().then((content) => add(parseScorerRefs(content)))
            else add(parseScorerRefs(event.dataTransfer.getData('text')))
          }}
        >
          <div
            className={`rounded-md border bg-surface has-[>input:focus-visible]:border-accent has-[>input:focus-visible]:outline-1 has-[>input:focus-visible]:outline-accent ${isDropTarget ? 'border-dashed border-accent' : error ? 'border-bad' : 'border-line-strong'}`}
          >
            <ScorerRefChips
              refs={refs}
              keys={fields.map(({ id }) => id)}
              onReplace={replace}
              onRemove={remove}
              changeAndFocus={changeAndFocus}
            />
            <input
              {...control}
              {...newRef}
              onChange={(event) => {
                void newRef.onChange(event)
                if (/[,;]\s*$/.test(event.target.value)) addTyped(event.target.value)
              }}
              onPaste={onPaste}
              onKeyDown={onKeyDown}
              placeholder={isDropTarget ? 'Drop it here' : 'weave:///…/object/<name>:<version>'}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="h-8 w-full bg-transparent px-2 font-mono text-xs outline-none placeholder:text-faint"
            />
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
            <ScorerPicker taken={fields.map(({ text }) => text)} usedRefs={knownRefs} onPick={(ref) => add([ref])} />
            <MakeScorerButton />
            <ScorerRefFile onAdd={add} />
            <span className={`ml-auto tabular-nums ${fields.length > maxScorerRefs ? 'text-bad' : 'text-quiet'}`}>
              {fields.length} of {maxScorerRefs}
            </span>
          </div>
          {leftOutCount > 0 && (
            <p role="alert" className="mt-1 text-bad">
              {formatCount(String(leftOutCount))} more {leftOutCount === 1 ? 'reference was' : 'references were'} not added: this
              list shows {maxChips} at most, and a queue takes {maxScorerRefs}.
            </p>
          )}
          <ScorerRefSummary
            refs={refs}
            onRemove={(indexes) => {
              // To what follows the first one that goes, or to the last one that stays.
              const next = Math.min(indexes[0] ?? 0, refs.length - indexes.length - 1)
              changeAndFocus(() => remove(indexes), next < 0 ? undefined : next)
            }}
          />
        </fieldset>
      )}
    </Field>
  )
  return (
    <>
      {field}
      {madeNotice && <output className="block text-quiet">{formatVisibleText(madeNotice)}</output>}
      <ScorerDialog
        onStored={({ ref, notice }) => {
          add([ref])
          setMadeNotice(notice)
        }}
      />
    </>
  )
}
