import { type ClipboardEvent, type DragEvent, type FormEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { maxItemsPerQueue } from '../../../contract/limits'
import { useDraft } from '../../client/use-draft'
import { formatCount, formatQuantity } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { defaultDisplayFields, findDisplayFieldsProblem, parseDisplayFields } from '../../table/add-to-queue/display-fields'
import { DisplayFields } from '../../table/add-to-queue/DisplayFields'
import { newFillJob } from '../../table/add-to-queue/fill-job'
import { FillProgress } from '../../table/add-to-queue/FillProgress'
import { type BadLine, type ParsedCallIds, parseCallIds } from '../../table/add-to-queue/parse-call-ids'
import { callsPerPiece } from '../../table/add-to-queue/queue-fill'
import { useQueueFill } from '../../table/add-to-queue/use-queue-fill'
import { askForFocus } from '../../ui/ask-for-focus'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { TextArea } from '../../ui/TextInput'

type Props = { queue: { id: string; name: string }; onClose: () => void }

const Draft = z.object({
  text: z.string(),
  /** The text is that of a file, or too long to be shown. */
  fileName: z.optional(z.string()),
  fields: z.string(),
})

/** Adds the calls whose ids are pasted, or are in a file. What was entered is kept until it is sent. */
export function AddItemsDialog({ queue, onClose }: Props) {
  const { state, start, ...fill } = useQueueFill()
  const formId = useId()
  const [{ text, fileName, fields }, change, forget] = useDraft(Draft, `add-items ${queue.id}`, {
    text: '',
    fields: defaultDisplayFields,
  })
  // To read 50,000 lines takes longer than a key press may.
  const settledText = useDeferredValue(text)
  const parsed = useMemo(() => parseCallIds(settledText), [settledText])
  const count = parsed.ids.length
  const pieceCount = Math.ceil(count / callsPerPiece)
  const isTooMany = count > maxItemsPerQueue
  const canSend = count > 0 && !isTooMany && findDisplayFieldsProblem(fields) === undefined
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!canSend) return
    const target = { queueName: queue.name, queueId: queue.id, draft: null, displayFields: parseDisplayFields(fields) }
    start(newFillJob(target, parsed.ids))
    forget()
  }
  if (state) {
    const close = () => {
      fill.forgetDone()
      onClose()
    }
    return (
      <Dialog title="Add items" onClose={close} className="w-160">
        <FillProgress state={state} fill={fill} isOnQueuePage={state.job.queueId === queue.id} onClose={close} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Add items"
      onClose={onClose}
      className="w-160"
      actions={
        <>
          <span aria-live="polite" className="mr-auto min-w-0 text-quiet">
            {pieceCount > 1 && !isTooMany && `Sent in ${pieceCount} pieces. You can stop in between.`}
          </span>
          <Button
            onClick={() => {
              forget()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" aria-disabled={!canSend}>
            {count === 0 ? 'Add' : `Add ${formatQuantity(count, 'call')}`}
          </Button>
        </>
      }
    >
      <form id={formId} aria-label="Add items" className="flex flex-col gap-4" onSubmit={send}>
        <IdsField
          text={text}
          fileName={fileName}
          onChange={(next, name) => change({ text: next, fileName: name })}
          error={
            isTooMany
              ? `${formatQuantity(count, 'call')} are too many: a queue takes ${formatCount(String(maxItemsPerQueue))}. Make several queues.`
              : undefined
          }
        />
        <Summary parsed={parsed} />
        <DisplayFields text={fields} onChange={(next) => change({ fields: next })} />
      </form>
    </Dialog>
  )
}

type IdsFieldProps = {
  text: string
  fileName: string | undefined
  onChange: (text: string, fileName?: string) => void
  error: string | undefined
}

/** A text area that takes files too. What is large is not shown: the browser would stand still. */
function IdsField({ text, fileName, onChange, error }: IdsFieldProps) {
  const [isDropTarget, setIsDropTarget] = useState(false)
  const [failure, setFailure] = useState<string>()
  const inputId = useId()
  const readFile = async (file: File | undefined) => {
    if (!file) return
    setFailure(undefined)
    if (file.size > maxFileBytes) return setFailure(`${file.name} is larger than 32 MB. Leave out what is not an id.`)
    try {
      onChange(await file.text(), file.name)
    } catch (cause) {
      setFailure(`${file.name} could not be read. ${cause instanceof Error ? cause.message : ''}`)
    }
  }
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const pasted = value.slice(0, selectionStart) + event.clipboardData.getData('text') + value.slice(selectionEnd)
    if (pasted.length <= maxShownCharacters) return
    event.preventDefault()
    onChange(pasted, 'Pasted text')
  }
  const onDrop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    setIsDropTarget(false)
    if (!file) return
    event.preventDefault()
    void readFile(file)
  }
  return (
    <Field
      label="Call ids"
      hint="Paste them or drop a file: text, CSV with an id column, JSON or JSON lines."
      error={failure ?? error}
    >
      {(control) => (
        <div data-keeps-focus="textarea, button" className="contents">
          {fileName === undefined ? (
            <TextArea
              {...control}
              ref={askForFocus}
              rows={6}
              value={text}
              spellCheck={false}
              onChange={({ target }) => onChange(target.value)}
              onPaste={onPaste}
              onDragOver={(event) => {
                event.preventDefault()
                setIsDropTarget(true)
              }}
              onDragLeave={() => setIsDropTarget(false)}
              onDrop={onDrop}
              className={`max-h-60 font-mono text-xs ${isDropTarget ? 'border-dashed border-accent!' : ''}`}
            />
          ) : (
            <p className="flex min-h-12 flex-wrap items-center gap-2 rounded-md border border-line px-2 py-1">
              <span className="min-w-0 flex-1 break-all">
                <ForeignText text={fileName} />
              </span>
              <Button onClick={() => onChange('')}>Remove</Button>
            </p>
          )}
          <input
            id={inputId}
            type="file"
            aria-label="File of call ids"
            accept=".txt,.csv,.tsv,.json,.jsonl,.ndjson"
            className="file-input text-quiet file:mr-2"
            onChange={({ target }) => {
              void readFile(target.files?.[0])
              // The same file may be chosen again.
              target.value = ''
            }}
          />
        </div>
      )}
    </Field>
  )
}

const maxFileBytes = 32_000_000
const maxShownCharacters = 100_000
const maxShownLines = 20

function Summary({ parsed: { ids, repeatedCount, badLines } }: { parsed: ParsedCallIds }) {
  const count = (number: number) => formatCount(String(number))
  return (
    <div className="flex flex-col gap-1">
      <output className="tabular-nums">
        {ids.length > 0 && formatQuantity(ids.length, 'id')}
        {repeatedCount > 0 && `, ${count(repeatedCount)} more ${repeatedCount === 1 ? 'is a repetition' : 'are repetitions'}`}
        {badLines.length > 0 && (
          <span className="text-warn">
            {`${ids.length > 0 ? ', ' : ''}${formatQuantity(badLines.length, 'line is', 'lines are')} left out`}
          </span>
        )}
      </output>
      {badLines.length > 0 && (
        <ul aria-label="Lines that are left out" className="max-h-32 overflow-y-auto text-xs">
          {badLines.slice(0, maxShownLines).map((bad) => (
            <BadLineItem key={`${bad.line} ${bad.text}`} bad={bad} />
          ))}
          {badLines.length > maxShownLines && <li>{`and ${count(badLines.length - maxShownLines)} more`}</li>}
        </ul>
      )}
    </div>
  )
}

function BadLineItem({ bad: { line, text, reason } }: { bad: BadLine }) {
  return (
    <li className="break-words">
      {`Line ${line}: `}
      <code className="font-mono break-all">
        <ForeignText text={text} />
      </code>{' '}
      <span className="text-quiet">{reason}</span>
    </li>
  )
}
