import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { maxItemsPerQueue } from '../../../contract/limits'
import { queryQueueStats } from '../../../contract/queue-items'
import { sampleThreads } from '../../../contract/thread-sample'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { operationExistsQuery } from '../../client/operation-exists-query'
import { useDraft } from '../../client/use-draft'
import { randomHex } from '../../client/random-hex'
import { formatCount, formatQuantity } from '../../format/count'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { chosenTurnsQuery, listedTurnsQuery, readAllTurns } from './chosen-turns-query'
import { ChosenTurns } from './ChosenTurns'
import { defaultDisplayFields, findDisplayFieldsProblem, parseDisplayFields } from './display-fields'
import { DisplayFields } from './DisplayFields'
import { type Evidence, suggestQueue, TurnSelection } from './evidence'
import { newFillJob } from './fill-job'
import { FillProgress } from './FillProgress'
import { callsPerPiece } from './queue-fill'
import { queueToFill } from './queue-to-fill'
import { QueueTarget, Target, useSuggestedScorers } from './QueueTarget'
import { newSeed, TurnSelectionForm } from './TurnSelectionForm'
import { useQueueFill } from './use-queue-fill'

type Props = { evidence: Evidence; onClose: () => void }

/** Adds calls to a queue, new or not. A job that is not finished comes first. */
export function AddToQueueDialog({ evidence, onClose }: Props) {
  const { state, ...fill } = useQueueFill()
  const formId = useId()
  const close = () => {
    fill.forgetDone()
    onClose()
  }
  return state ? (
    <Dialog title="Add to a queue" onClose={close} className="w-160">
      <FillProgress state={state} fill={fill} onClose={close} />
    </Dialog>
  ) : (
    <AddForm formId={formId} evidence={evidence} onClose={onClose} />
  )
}

const Draft = z.object({ selection: TurnSelection, target: Target, fields: z.string() })

/**
 * What was entered is kept until it is sent. Calls, chosen threads and all threads of a filter have a draft each, for each queue that
 * calls are chosen for.
 */
function AddForm({ formId, evidence, onClose }: Props & { formId: string }) {
  const { start } = useQueueFill()
  const { defaults } = useSuggestedScorers()
  const form = useRef<HTMLFormElement>(null)
  const toFill = queueToFill(useConnection())
  const [initial] = useState(() => startDraft(evidence, toFill.read()))
  const draftName = `add-to-queue ${evidence.kind} ${initial.selection.scope} ${initial.target.existing?.id ?? ''}`
  const [{ selection, target, fields }, change, forget] = useDraft(Draft, draftName, initial)
  const [isTried, setIsTried] = useState(false)
  const [isReading, setIsReading] = useState(false)
  const [failure, setFailure] = useState<Error>()
  const chosen = useChosenCalls(evidence, selection)
  const room = useRoom(target)
  const suggestion = suggestQueue(evidence, selection)
  const name = (target.name ?? suggestion.name).trim()
  const count = chosen.count
  const problem = target.isNew
    ? name === ''
      ? 'A queue needs a name.'
      : undefined
    : target.existing
      ? undefined
      : 'Choose a queue.'
  const tooMany =
    count !== undefined && count > room
      ? `${formatQuantity(count, 'call')} are more than the queue takes: it has room for ${formatCount(String(room))}. Take a sample.`
      : undefined

  const canSend = count !== undefined && count > 0 && tooMany === undefined && findDisplayFieldsProblem(fields) === undefined

  const send = async () => {
    setIsTried(true)
    if (problem !== undefined || !canSend) return
    setIsReading(true)
    setFailure(undefined)
    try {
      const ids = await chosen.readIds()
      // Without its form the dialog is closed already: the person does not want it.
      if (!form.current) return
      const draft = {
        description: (target.description ?? suggestion.description).trim(),
        scorerRefs: [...(target.scorerRefs ?? defaults)],
        idempotencyKey: randomHex(16),
      }
      const queue = target.isNew
        ? { queueName: name, queueId: '', draft }
        : { queueName: target.existing?.name ?? '', queueId: target.existing?.id ?? '', draft: null }
      start(newFillJob({ ...queue, displayFields: parseDisplayFields(fields) }, ids))
      forget()
      toFill.remove()
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setIsReading(false)
    }
  }
  const pieceCount = Math.ceil((count ?? 0) / callsPerPiece)
  return (
    <Dialog
      title="Add to a queue"
      onClose={onClose}
      className="w-160"
      actions={
        <>
          <span aria-live="polite" className="mr-auto min-w-0 text-quiet">
            {pieceCount > 1 && `Sent in ${pieceCount} pieces. You can stop in between.`}
          </span>
          <Button
            onClick={() => {
              forget()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isReading} aria-disabled={!canSend}>
            {count === undefined ? 'Add' : `Add ${formatQuantity(count, 'call')}`}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        aria-label="Add to a queue"
        className="flex flex-col gap-5"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send()
        }}
      >
        {evidence.kind === 'threads' && chosen.canSample && (
          <TurnSelectionForm
            selection={selection}
            onChange={(part) => change((latest) => ({ selection: { ...latest.selection, ...part } }))}
            selectedCount={evidence.selectedIds.length}
          >
            <ChosenTurns query={chosen} selection={selection} hasWindow={hasWindow(evidence)} />
          </TurnSelectionForm>
        )}
        {evidence.kind === 'threads' && !chosen.canSample && (
          <ChosenTurns query={chosen} selection={selection} hasWindow={hasWindow(evidence)} />
        )}
        <QueueTarget
          target={target}
          onChange={(part) => change((latest) => ({ target: { ...latest.target, ...part } }))}
          suggestion={suggestion}
          problem={isTried ? problem : undefined}
        />
        <DisplayFields text={fields} onChange={(next) => change({ fields: next })} />
        <p aria-live="polite" className="text-bad empty:hidden">
          {tooMany ?? failure?.message}
        </p>
      </form>
    </Dialog>
  )
}

function startDraft(evidence: Evidence, existing: Target['existing']): z.infer<typeof Draft> {
  const hasSelection = evidence.kind === 'threads' && evidence.selectedIds.length > 0
  return {
    selection: {
      scope: hasSelection ? 'selected' : 'matching',
      turns: 'all',
      isSample: evidence.kind === 'threads' && !hasSelection,
      size: 30,
      seed: newSeed(),
      stratifyBy: 'none',
    },
    target: { isNew: !existing, existing, search: '' },
    fields: defaultDisplayFields,
  }
}

function hasWindow({ filter }: Extract<Evidence, { kind: 'threads' }>): boolean {
  return filter.after_datetime !== undefined || filter.before_datetime !== undefined
}

const typingPauseMs = 300

/** How many calls are chosen, and their ids. `count` is undefined while it is not known. */
function useChosenCalls(evidence: Evidence, selection: TurnSelection) {
  const connection = useConnection()
  const isSpool = usesSession(connection)
  const hasOperation = useQuery({
    ...operationExistsQuery(sampleThreads, connection),
    enabled: !isSpool && evidence.kind === 'threads',
  })
  const canSample = isSpool || hasOperation.data === true
  const settled = useSettled(selection)
  const threads = evidence.kind === 'threads' ? evidence : noThreads
  const isReady = evidence.kind === 'threads' && (isSpool || !hasOperation.isPending)
  const sampled = useQuery({
    ...chosenTurnsQuery(threads, settled, connection),
    enabled: isReady && canSample,
    placeholderData: keepPreviousData,
  })
  const listed = useQuery({ ...listedTurnsQuery(threads, connection), enabled: isReady && !canSample })
  const { data, error, isPlaceholderData, refetch } = canSample ? sampled : listed
  const isCurrent = settled === selection && !isPlaceholderData && !error
  const turnCount = canSample && selection.isSample ? data?.turn_ids.length : data?.turn_count
  return {
    data,
    error,
    refetch,
    isCurrent,
    canSample,
    count: evidence.kind === 'calls' ? evidence.ids.length : isCurrent ? turnCount : undefined,
    readIds: async (): Promise<readonly string[]> => {
      if (evidence.kind === 'calls') return evidence.ids
      if (data && (selection.isSample || !canSample)) return data.turn_ids
      return (await readAllTurns(evidence, selection, connection)).turn_ids
    },
  }
}

const noThreads = { kind: 'threads' as const, filter: {}, selectedIds: [] }

/** What was chosen when the person paused: each key in the seed would be a request. */
function useSettled(selection: TurnSelection): TurnSelection {
  const [settled, setSettled] = useState(selection)
  // Timers are outside React.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(selection), typingPauseMs)
    return () => clearTimeout(timer)
  }, [selection])
  return settled
}

/** How many items the queue still takes. */
function useRoom({ isNew, existing }: Target): number {
  const connection = useConnection()
  const { data } = useQuery({
    ...endpointQuery(queryQueueStats, { project_id: connection.projectId, queue_ids: existing ? [existing.id] : [] }, connection),
    enabled: !isNew && existing !== undefined,
  })
  return maxItemsPerQueue - (isNew ? 0 : (data?.stats[0]?.total_items ?? 0))
}
