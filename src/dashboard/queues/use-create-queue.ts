import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueue } from '../../contract/queues'
import { ValidationError } from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import { useConnection } from '../client/connection-context'
import { type CreatedQueue, createdQueues } from './created-queues'
import { type FormProblems, formProblems } from './form-problems'
import type { QueueDraft } from './queue-draft'

type Options = { onCreated: (queue: CreatedQueue, draft: QueueDraft) => void }

/** Sends a draft under its own key, and keeps what the server had against it until the draft changes. */
export function useCreateQueue({ onCreated }: Options) {
  const connection = useConnection()
  const [problems, setProblems] = useState<FormProblems>()
  const [refusedRefs, setRefusedRefs] = useState<ReadonlyMap<string, string>>(new Map())
  const mutation = useMutation({
    mutationFn: ({ idempotencyKey, name, description, scorer_refs }: QueueDraft) =>
      fetchJson(
        createQueue,
        { project_id: connection.projectId, name, description, scorer_refs },
        { connection, headers: { 'Idempotency-Key': idempotencyKey } },
      ),
  })

  return {
    isPending: mutation.isPending,
    problems,
    refusedRefs,
    /** A failure that no field stands for. */
    failure: mutation.error instanceof ValidationError ? undefined : (mutation.error ?? undefined),
    forgetProblems: () => setProblems(undefined),
    send: (draft: QueueDraft, onRefused: () => void) => {
      setProblems(undefined)
      mutation.mutate(draft, {
        onSuccess: ({ id }) => {
          const queue = { id, name: draft.name.trim() }
          createdQueues(connection).add(queue)
          onCreated(queue, draft)
        },
        onError: (error) => {
          if (!(error instanceof ValidationError)) return
          const found = formProblems(error.problems)
          setProblems(found)
          setRefusedRefs(new Map([...found.byRef].map(([index, message]) => [draft.scorer_refs[index] ?? '', message])))
          onRefused()
        },
      })
    },
  }
}
