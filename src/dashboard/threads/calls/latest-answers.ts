import { parseAnnotationType, toAnnotationType } from '../../../contract/annotation-spec'
import { receiveFeedback } from '../../../contract/received-feedback'
import { type Connection, usesSession } from '../../client/connection'
import { endpointQuery } from '../../client/endpoint-query'

/** What a person answered for a call, last. */
export type Answer = {
  id: string
  callId: string
  scorer: string
  value: unknown
  annotator: string
  createdAt: string
  isCorrected: boolean
}

/** A query has at most 1,000 parts. */
const maxCalls = 500
const maxAnswers = 2000

/** Query options for the answers of people for these calls. Of other services nobody knows whether they keep any. */
export function latestAnswersQuery(callIds: readonly string[], connection: Connection) {
  const refs = callIds.slice(0, maxCalls).map((id) => ({ $literal: `${toPrefix(connection.projectId)}${id}` }))
  const isAnnotation = { $contains: { input: { $getField: 'feedback_type' }, substr: { $literal: toAnnotationType('') } } }
  const input = {
    project_id: connection.projectId,
    query: { $expr: { $and: [{ $in: [{ $getField: 'weave_ref' }, refs] }, isAnnotation] } },
    fields: ['id', 'weave_ref', 'feedback_type', 'wb_user_id', 'created_at', 'payload.value'],
    limit: maxAnswers,
  }
  return {
    ...endpointQuery(receiveFeedback, input, connection),
    enabled: callIds.length > 0 && usesSession(connection),
    select: ({ result }: { result: readonly Readonly<Record<string, unknown>>[] }) =>
      toLatestAnswers(result, connection.projectId),
  }
}

function toPrefix(projectId: string): string {
  return `weave:///${projectId}/call/`
}

/** Of rows that are newest first the first of each person for each call and scorer, by scorer. */
export function toLatestAnswers(rows: readonly Readonly<Record<string, unknown>>[], projectId: string): Answer[] {
  const latest = new Map<string, Answer>()
  for (const row of rows) {
    const { id, weave_ref: ref, feedback_type: type, wb_user_id: annotator, created_at: createdAt } = row
    if (typeof ref !== 'string' || typeof type !== 'string' || typeof annotator !== 'string') continue
    const scorer = parseAnnotationType(type)
    if (scorer === undefined) continue
    const callId = ref.slice(toPrefix(projectId).length)
    const key = JSON.stringify([callId, scorer, annotator])
    const known = latest.get(key)
    if (known) known.isCorrected = true
    else {
      const value = row['payload.value']
      latest.set(key, { id: String(id), callId, scorer, value, annotator, createdAt: String(createdAt), isCorrected: false })
    }
  }
  return [...latest.values()].toSorted((left, right) => (left.scorer < right.scorer ? -1 : left.scorer > right.scorer ? 1 : 0))
}

/** As people read it: `yes`, `4.5`, `kind`. */
export function formatAnswer(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
