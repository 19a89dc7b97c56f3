import * as z from 'zod/mini'
import type { QueueResults } from '../../contract/queue-results'
import { maxResponseBytes, requireResponseFits } from '../http/response-size'
import type { RequestReader } from '../http/route'
import { JsonText } from '../lib/json-text'
import { engineTime } from '../store/row-types'
import { splitIds } from '../store/split-ids'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { isTooLarge } from '../store/store-error'
import { toItemId } from './item-store'
import { selectAnswersOfCalls } from './select-answers'
import type { StoredQueue } from './queue-store'

const AnswerRow = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), engineTime, z.number()])
const ItemRow = z.object({ call_id: z.string(), answers: z.array(AnswerRow), bytes: z.number() })

const sizeAdvice = "Set a smaller 'limit' and page by 'offset'."

/** The answers for these calls, in their order. `comparable`: the scorers whose answers can differ. Throws 422 where it is too much. */
export async function readResultItems(
  store: Store,
  queue: StoredQueue,
  { callIds, comparable }: { callIds: readonly string[]; comparable: readonly string[] },
  reader: RequestReader,
): Promise<QueueResults['items']> {
  const answersByCall = new Map<string, z.infer<typeof AnswerRow>[]>()
  let bytes = 0
  for (const part of splitIds(callIds)) {
    const statement = sql`SELECT call_id, groupArray((scorer, annotator, value, annotation_ref, id, created_at, answer_count)) AS answers,
  toUInt32(sum(length(value) + 200)) AS bytes
FROM ${selectAnswersOfCalls(queue.project_id, queue.id, part)} GROUP BY call_id`
    const rows = await store
      .query(statement, ItemRow, { ...reader, maxResultBytes: maxResponseBytes })
      .catch((error: unknown) => {
        if (isTooLarge(error)) requireResponseFits({ rows: Infinity, bytes: Infinity }, sizeAdvice)
        throw error
      })
    for (const row of rows) {
      answersByCall.set(row.call_id, row.answers)
      bytes += row.bytes
    }
    requireResponseFits({ rows: 0, bytes }, sizeAdvice)
  }
  return callIds.flatMap((callId) => {
    const answers = answersByCall.get(callId)
    if (!answers) return []
    return {
      item_id: toItemId(queue.id, callId),
      call_id: callId,
      disagreements: comparable.filter((scorer) => isDiffering(answers.filter(([name]) => name === scorer))).toSorted(),
      answers: answers.map(([scorer, annotator, value, ref, feedbackId, createdAt, answerCount]) => ({
        scorer,
        annotator,
        value: new JsonText(value),
        annotation_ref: ref,
        feedback_id: feedbackId,
        created_at: createdAt,
        answer_count: answerCount,
      })),
    }
  })
}

function isDiffering(answers: readonly z.infer<typeof AnswerRow>[]): boolean {
  return new Set(answers.map(([, , value]) => value)).size > 1
}
