import { type FormEvent, useRef, useState } from 'react'
import type { Queue } from '../../../contract/queues'
import { ApiError } from '../../client/api-error'
import { useDraft } from '../../client/use-draft'
import { describeInvisible, formatVisibleText } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { askForFocus } from '../../ui/ask-for-focus'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { TextArea, TextInput } from '../../ui/TextInput'
import { useKnownQueues } from './use-known-queues'
import { EditDraft, type EditErrors, type EditValues, findEditErrors, toChange } from './edit-form'
import { ReviewFields } from './ReviewFields'
import { useChangeQueue } from './use-change-queue'

type Props = {
  queue: Queue
  /** The service takes how a queue is reviewed. */
  hasReviews: boolean
  onClose: () => void
}

/** A dialog for what can be changed of a queue. Only the changed fields are sent. What is typed is kept until it is saved. */
export function EditQueue({ queue, hasReviews, onClose }: Props) {
  const [before] = useState<EditValues>(queue)
  const [typed, changeTyped, forgetTyped] = useDraft(EditDraft, `queue-edit ${queue.id}`, {})
  const values: EditValues = { ...before, ...typed }
  const [isChecked, setIsChecked] = useState(false)
  const { change } = useChangeQueue(queue)
  const known = useKnownQueues()
  const form = useRef<HTMLFormElement>(null)
  const ownErrors = isChecked ? findEditErrors(values) : {}
  const { fields, others } = readServerErrors(change.error)
  const errors = { ...fields, ...ownErrors }
  const set = (part: Partial<EditValues>) => {
    changeTyped(part)
    change.reset()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (Object.keys(findEditErrors(values)).length > 0) {
      // After the render that marks the fields.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    const changed = toChange(values, before)
    try {
      if (Object.keys(changed).length > 0) await change.mutateAsync(changed)
      forgetTyped(typed)
      announce(`${formatVisibleText(values.name.trim())} is saved`)
      // Without its form the dialog is closed already, and another one may be open.
      if (form.current) onClose()
    } catch {
      // The dialog shows it.
    }
  }
  return (
    <Dialog title="Edit queue" onClose={onClose} className="w-140">
      <form ref={form} noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
        <Field label="Name" error={errors.name} warning={describeInvisible(values.name)}>
          {(control) => (
            <TextInput
              {...control}
              // The person opened the dialog to change it.
              ref={askForFocus}
              value={values.name}
              onChange={({ target }) => set({ name: target.value })}
              onBlur={() => setIsChecked(true)}
            />
          )}
        </Field>
        <Field label="Description" isOptional error={errors.description}>
          {(control) => (
            <TextArea {...control} value={values.description} onChange={({ target }) => set({ description: target.value })} />
          )}
        </Field>
        {hasReviews && (
          <ReviewFields
            settings={values}
            onChange={set}
            people={known.people}
            errors={{ reviewsPerItem: errors.reviews_per_item, assignees: errors.assignees }}
          />
        )}
        {others !== undefined && (
          <p role="alert" className="break-words text-bad">{`Not saved, or not known to be. ${others}`}</p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => {
              forgetTyped()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant="primary" isBusy={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the service says, by field; `others` is what belongs to none. */
function readServerErrors(error: Error | null): { fields: EditErrors; others: string | undefined } {
  if (!(error instanceof ApiError)) return { fields: {}, others: error?.message }
  const fields: EditErrors = {}
  const others: string[] = []
  for (const { loc, msg } of error.problems) {
    const field = loc[0] === 'body' ? loc[1] : undefined
    if (field === 'name' || field === 'description' || field === 'reviews_per_item' || field === 'assignees') fields[field] = msg
    else others.push(msg)
  }
  if (error.problems.length === 0) others.push(error.message)
  return { fields, others: others.length > 0 ? others.join(' ') : undefined }
}
