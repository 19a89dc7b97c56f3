import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { createQueue } from '../../contract/queues'
import { ValidationError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { fetchJson } from '../client/fetch-json'
import { describeInvisible, formatVisibleText } from '../format/visible-text'
import { Button } from '../ui/Button'
import { Field } from '../ui/Field'
import { TextArea, TextInput } from '../ui/TextInput'
import { CreateQueueFailure } from './CreateQueueFailure'
import { type CreatedQueue, createdQueues } from './created-queues'
import { ErrorSummary, type SummaryItem } from '../ui/ErrorSummary'
import { parseScorerRefs } from './parse-scorer-refs'
import { isEmptyDraft, type QueueDraft, toRequest } from './queue-draft'
import { QueueFormValues, serverFields, toDraft, toFormValues, toServerErrors } from './queue-form'
import { RequestPreviewPanel } from './RequestPreviewPanel'
import { isBad, toScorerRefStates } from './scorers/scorer-ref-state'
import { ScorerRefsField } from './ScorerRefsField'
import { useKeepsIdempotencyKeys } from './use-keeps-idempotency-keys'
import { isUsual } from './detail/review-settings'
import { ReviewFields } from './detail/ReviewFields'
import { useHasReviews } from './detail/use-has-reviews'
import { useKnownQueues } from './detail/use-known-queues'

type Props = {
  draft: QueueDraft
  /** Returns whether this device keeps it. */
  onChange: (draft: QueueDraft) => boolean
  onDiscard: (draft: QueueDraft) => void
  onNewKey: (draft: QueueDraft) => void
  onCreated: (queue: CreatedQueue, draft: QueueDraft) => void
}

/** Edits and sends one draft. The page mounts a new form for each `idempotencyKey`. */
export function NewQueueForm({ draft, onChange, onDiscard, onNewKey, onCreated }: Props) {
  const connection = useConnection()
  const { projectId } = connection
  const known = useKnownQueues()
  const keepsKeys = useKeepsIdempotencyKeys()
  const { idempotencyKey } = draft
  const form = useForm({
    defaultValues: toFormValues(draft),
    resolver: standardSchemaResolver(QueueFormValues),
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isSubmitting, submitCount } = form.formState
  const hasReviews = useHasReviews()
  const { current, refs } = useWatch({
    control: form.control,
    compute: (values: QueueFormValues) => ({
      current: toDraft(values, idempotencyKey),
      refs: toScorerRefStates(values.scorer_refs, projectId),
    }),
  })

  // Another origin may not allow the header, and then the browser sends no request at all.
  const headers = keepsKeys || connection.baseUrl === '' ? { 'Idempotency-Key': idempotencyKey } : undefined
  const create = useMutation({
    mutationFn: (content: QueueDraft) =>
      fetchJson(createQueue, { project_id: projectId, ...toRequest(content) }, { connection, headers }),
  })
  const send = async (sent: QueueFormValues) => {
    const content = toDraft(sent, idempotencyKey)
    try {
      const { id } = await create.mutateAsync(content)
      const queue = { id, name: content.name.trim() }
      createdQueues(connection).add(queue)
      onCreated(queue, content)
    } catch (error) {
      // CreateQueueFailure shows every other failure.
      if (hasProblems(error)) showServerErrors(error)
    }
  }
  const showServerErrors = (error: ValidationError) => {
    const { fields, refs: refErrors, others } = toServerErrors(error.problems)
    form.setValue(
      'scorer_refs',
      form.getValues('scorer_refs').map(({ text }, index) => ({ text, serverError: refErrors.get(index) })),
    )
    for (const field of serverFields) {
      if (fields[field] !== undefined) form.setError(field, { type: 'server', message: fields[field] })
    }
    for (const [index, message] of others.entries()) form.setError(`root.${index}`, { type: 'server', message })
  }
  /** What is typed and not yet a chip belongs to the draft too. */
  const addTyped = () => {
    const newRefs = parseScorerRefs(form.getValues('newRef'))
    if (newRefs.length === 0) return
    form.setValue('scorer_refs', [...form.getValues('scorer_refs'), ...newRefs.map((text) => ({ text }))])
    form.setValue('newRef', '')
  }
  const submit = () => {
    if (isSubmitting) return
    addTyped()
    void form.handleSubmit(send)()
  }

  const [isKept, setIsKept] = useState(true)
  // The draft outlives the page: storage is outside React.
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: (state) => setIsKept(onChange(toDraft(state.values, idempotencyKey))),
      }),
    [form, idempotencyKey, onChange],
  )
  const summary = useRef<HTMLDivElement>(null)
  // Focus belongs to the document. Only a submit moves it: an error that appears while somebody types must not.
  useEffect(() => {
    if (submitCount > 0) summary.current?.focus()
  }, [submitCount])

  const nameError = errors.name?.message
  const refsError = errors.scorer_refs?.root?.message ?? errors.scorer_refs?.message
  const isNameTaken = !nameError && known.names.has(current.name.trim().toLowerCase())
  const items: SummaryItem[] = [
    ...(nameError ? [{ targetId: 'queue-name', text: `Name: ${nameError}` }] : []),
    ...(errors.description ? [{ targetId: 'queue-description', text: `Description: ${errors.description.message}` }] : []),
    ...(errors.assignees ? [{ targetId: 'queue-assignees', text: `Assignees: ${errors.assignees.message}` }] : []),
    ...(refsError ? [{ targetId: 'queue-refs', text: `Scorer references: ${refsError}` }] : []),
    ...refs.flatMap((ref, index) =>
      isBad(ref) ? [{ targetId: `queue-ref-${index}`, text: `Reference ${index + 1}: ${ref.reason}` }] : [],
    ),
    ...Object.values(errors.root ?? {}).flatMap((error) =>
      typeof error === 'object' && error.message ? [{ targetId: undefined, text: error.message }] : [],
    ),
  ]

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the presses of its buttons
    <form
      noValidate
      aria-label="New queue"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      // A press must not take the focus: a message that appears on blur would move the button away from the pointer.
      onMouseDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button, summary')) event.preventDefault()
      }}
      className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,44rem)_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 flex-col gap-4">
        {submitCount > 0 && items.length > 0 && (
          <ErrorSummary ref={summary} items={items.map(({ targetId, text }) => ({ targetId, text: formatVisibleText(text) }))} />
        )}
        <Field
          id="queue-name"
          label="Name"
          error={nameError}
          warning={
            isNameTaken
              ? 'This project already has a queue with this name. You can use it again.'
              : describeInvisible(current.name)
          }
        >
          {(control) => <TextInput {...control} {...form.register('name')} maxLength={1000} />}
        </Field>
        <Field id="queue-description" label="Description" isOptional error={errors.description?.message}>
          {(control) => <TextArea {...control} {...form.register('description')} />}
        </Field>
        <ScorerRefsField form={form} projectId={projectId} knownRefs={known.refs} error={refsError} />
        {(hasReviews || !isUsual(current)) && (
          // Most queues need neither.
          <details open={!isUsual(current) || errors.assignees !== undefined || undefined}>
            <summary>Who reviews</summary>
            <div className="flex flex-col gap-4 pt-3">
              <ReviewFields
                settings={current}
                people={known.people}
                errors={{ reviewsPerItem: errors.reviews_per_item?.message, assignees: errors.assignees?.message }}
                onChange={({ reviews_per_item: count, assignees }) => {
                  const options = { shouldValidate: submitCount > 0, shouldDirty: true }
                  form.setValue('reviews_per_item', count, options)
                  form.setValue('assignees', assignees, options)
                }}
              />
            </div>
          </details>
        )}
        {create.error && !hasProblems(create.error) && !isSubmitting && (
          <CreateQueueFailure error={create.error} keepsKeys={keepsKeys} onNewKey={() => onNewKey(current)} onRetry={submit} />
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" isBusy={isSubmitting}>
            {isSubmitting ? 'Creating…' : 'Create queue'}
          </Button>
          {!isEmptyDraft(current) && (
            <Button
              variant="quiet"
              onClick={() => {
                addTyped()
                onDiscard(toDraft(form.getValues(), idempotencyKey))
              }}
            >
              Discard draft
            </Button>
          )}
          <output className={`text-xs ${isKept ? 'text-quiet' : 'text-warn'}`}>
            {isKept
              ? 'The draft is kept on this device.'
              : 'The browser does not store the draft: it is lost when you leave this page.'}
          </output>
        </div>
      </div>
      <RequestPreviewPanel draft={current} headers={headers} />
    </form>
  )
}

/** Whether the server named what is wrong with the content. Some reject a request without saying what. */
function hasProblems(error: unknown): error is ValidationError {
  return error instanceof ValidationError && error.problems.length > 0
}
