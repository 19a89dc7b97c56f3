import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useConnection } from '../client/connection-context'
import { Button } from '../ui/Button'
import { Field } from '../ui/Field'
import { TextArea } from '../ui/TextInput'
import { TextInput } from '../ui/TextInput'
import { chipStates, isBad } from './chip-states'
import { CreateFailure } from './CreateFailure'
import type { CreatedQueue } from './created-queues'
import { ErrorSummary, type SummaryItem } from './ErrorSummary'
import { isEmptyDraft, type QueueDraft } from './queue-draft'
import { QueueForm } from './queue-form'
import { readRefs } from './read-refs'
import { ScorerRefsField } from './ScorerRefsField'
import { useCreateQueue } from './use-create-queue'
import { useKnownQueues } from './use-known-queues'
import { WhatIsSent } from './WhatIsSent'

type Props = {
  draft: QueueDraft
  onChange: (draft: QueueDraft) => void
  onDiscard: (content: QueueDraft) => void
  onNewKey: (content: QueueDraft) => void
  onCreated: (queue: CreatedQueue, draft: QueueDraft) => void
}

/** A draft being filled in. Mounted anew for each `Idempotency-Key`. */
export function NewQueueForm({ draft, onChange, onDiscard, onNewKey, onCreated }: Props) {
  const { projectId } = useConnection()
  const known = useKnownQueues()
  const form = useForm<QueueForm>({
    defaultValues: draft,
    resolver: standardSchemaResolver(QueueForm),
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, submitCount } = form.formState
  const values = useWatch({ control: form.control })
  const current = contentOf(draft, values)
  const [areRefsTouched, setAreRefsTouched] = useState(false)
  const [refText, setRefText] = useState('')
  const create = useCreateQueue({ onCreated })
  const summary = useRef<HTMLDivElement>(null)
  const isSummaryDue = useRef(false)

  // The draft outlives the page: what is typed goes to storage, which is outside React.
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values: typed }) => onChange(contentOf(draft, typed)) }),
    [form, draft, onChange],
  )
  const chips = chipStates(current.scorer_refs, projectId, create.refusedRefs)
  const refsError =
    areRefsTouched || submitCount > 0
      ? (errors.scorer_refs?.root?.message ?? errors.scorer_refs?.message ?? create.problems?.scorerRefs)
      : undefined
  const nameError = errors.name?.message ?? create.problems?.name
  const descriptionError = errors.description?.message ?? create.problems?.description
  const isNameTaken = !nameError && known.names.has(current.name.trim().toLowerCase())

  const items: SummaryItem[] = [
    ...(nameError ? [{ targetId: 'queue-name', text: `Name: ${nameError}` }] : []),
    ...(descriptionError ? [{ targetId: 'queue-description', text: `Description: ${descriptionError}` }] : []),
    ...(refsError ? [{ targetId: 'queue-refs', text: `Scorer references: ${refsError}` }] : []),
    ...chips.flatMap((chip, index) =>
      isBad(chip) ? [{ targetId: `queue-ref-${index}`, text: `Reference ${index + 1}: ${chip.reason}` }] : [],
    ),
    ...(create.problems?.others ?? []).map((text) => ({ targetId: undefined, text })),
  ]
  const isSummaryUp = (submitCount > 0 || create.problems !== undefined) && items.length > 0

  const setRefs = (refs: string[]) => {
    create.forgetProblems()
    form.setValue('scorer_refs', refs, { shouldDirty: true, shouldValidate: areRefsTouched || submitCount > 0 })
  }
  const showSummary = () => {
    isSummaryDue.current = true
    summary.current?.focus()
  }
  // react-hook-form says that a submit is refused before it says why: the summary takes the focus when it is there.
  useEffect(() => {
    if (isSummaryUp && isSummaryDue.current) summary.current?.focus()
    if (isSummaryUp) isSummaryDue.current = false
  }, [isSummaryUp])
  const submit = () => {
    if (create.isPending) return
    // What stands in the field and is no chip yet was meant to be sent too.
    if (refText.trim() !== '') {
      form.setValue('scorer_refs', [...current.scorer_refs, ...readRefs(refText)])
      setRefText('')
    }
    void form.handleSubmit((sent) => create.send(contentOf(draft, sent), showSummary), showSummary)()
  }

  return (
    <form
      noValidate
      aria-label="New queue"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,44rem)_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 flex-col gap-4">
        {isSummaryUp && <ErrorSummary ref={summary} items={items} />}
        <Field
          id="queue-name"
          label="Name"
          error={nameError}
          warning={
            isNameTaken ? 'This project has a queue of this name. That is allowed, but they are hard to tell apart.' : undefined
          }
        >
          {(control) => (
            <TextInput {...control} {...form.register('name', { onChange: create.forgetProblems })} maxLength={1000} />
          )}
        </Field>
        <Field id="queue-description" label="Description" isOptional error={descriptionError}>
          {(control) => <TextArea {...control} {...form.register('description', { onChange: create.forgetProblems })} />}
        </Field>
        <ScorerRefsField
          chips={chips}
          text={refText}
          onText={setRefText}
          knownRefs={known.refs}
          error={refsError}
          onLeave={() => {
            setAreRefsTouched(true)
            void form.trigger('scorer_refs')
          }}
          onChange={setRefs}
        />
        <CreateFailure
          failure={create.failure}
          onNewKey={() => onNewKey(current)}
          onRetry={submit}
          isPending={create.isPending}
        />
        <div className="flex flex-wrap items-center gap-2">
          {/* A press keeps the focus in its field: leaving it could bring up a message and move this button from under the pointer. */}
          <Button type="submit" variant="primary" isBusy={create.isPending} onMouseDown={(event) => event.preventDefault()}>
            {create.isPending ? 'Creating…' : 'Create queue'}
          </Button>
          {!isEmptyDraft(current) && (
            <Button variant="quiet" onClick={() => onDiscard(current)}>
              Discard draft
            </Button>
          )}
          <span className="text-xs text-quiet">The draft is kept on this device.</span>
        </div>
      </div>
      <WhatIsSent draft={current} />
    </form>
  )
}

/** The form's values as a draft; react-hook-form types what it watches as perhaps absent. */
function contentOf(draft: QueueDraft, values: Partial<QueueDraft>): QueueDraft {
  const { name = '', description = '', scorer_refs = [] } = values
  return { idempotencyKey: draft.idempotencyKey, name, description, scorer_refs }
}
