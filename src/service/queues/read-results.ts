import * as z from 'zod/mini'
import type { FieldKind } from '../../contract/field-schema'
import type { QueueResults } from '../../contract/queue-results'
import { parseScorerRef } from '../../contract/scorer-ref'
import { maxResponseBytes, requireResponseFits } from '../http/response-size'
import type { RequestReader } from '../http/route'
import { JsonText } from '../lib/json-text'
import { limitOffset } from '../store/limit-offset'
import { engineTime } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { isTooLarge } from '../store/store-error'
import { type ItemTime, selectAnnotators } from './item-sql'
import { countItems } from './item-store'
import type { StoredQueue } from './queue-store'
import { isComparable, readFieldKinds, type ReadRefs } from './read-specs'
import { selectAnswers } from './select-answers'
import { summarizeScorer } from './summarize-scorer'

type Deps = { store: Store; readRefs: ReadRefs }
type Page = { limit?: number | undefined; offset?: number | undefined }

const AnnotatorRow = z.object({
  annotator: z.string(),
  completed_count: z.number(),
  skipped_count: z.number(),
  last_reviewed_at: engineTime,
})

const UsedRefRow = z.object({ scorer: z.string(), annotation_ref: z.string() })
/** The answers of a person with a value, or, without a person, those for a version of the scorer. */
const CountedRow = z.object({
  scorer: z.string(),
  annotator: z.string(),
  value: z.string(),
  annotation_ref: z.string(),
  answer_count: z.number(),
})
const UnitRow = z.object({ scorer: z.string(), values: z.array(z.string()), item_count: z.number() })
const AnswerRow = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), engineTime, z.number()])
const ItemRow = z.object({
  item_id: z.string(),
  call_id: z.string(),
  disagreements: z.array(z.string()),
  answers: z.array(AnswerRow),
})
const CountRow = z.object({ item_count: z.number() })

/**
 * What people answered in a queue. The engine counts equal answers, and items with the same answers, so that what is read
 * here grows with the number of different ones.
 */
export async function readResults(
  { store, readRefs }: Deps,
  queue: StoredQueue,
  page: Page,
  time: ItemTime,
  reader: RequestReader,
): Promise<QueueResults> {
  const { project_id: projectId, id: queueId } = queue
  const query = async <Row extends z.core.SomeType>(statement: Sql, row: Row) => await store.query(statement, row, reader)
  const usedRefs = await query(
    sql`SELECT scorer, annotation_ref FROM queue_answers WHERE project_id = ${projectId} AND queue_id = ${queueId}
GROUP BY scorer, annotation_ref ORDER BY scorer, count() DESC, annotation_ref`,
    UsedRefRow,
  )
  const kindByScorer = await readKinds(readRefs, queue, usedRefs, reader)
  const comparable = [...kindByScorer].filter(([, kind]) => isComparable(kind)).map(([name]) => name)
  const answers = sql`(SELECT *, if(has(${comparable}, scorer), value, '') AS compared FROM ${selectAnswers(projectId, queueId)})`
  const [counts, annotators, counted, units, [differing], items] = await Promise.all([
    countItems(store, projectId, [queue], time, reader),
    query(selectAnnotators(projectId, queueId), AnnotatorRow),
    query(
      sql`SELECT scorer, annotator, compared AS value, annotation_ref, toUInt32(count()) AS answer_count FROM ${answers}
GROUP BY GROUPING SETS ((scorer, annotator, compared), (scorer, annotation_ref)) ORDER BY answer_count DESC, annotation_ref`,
      CountedRow,
    ),
    query(
      sql`SELECT scorer, arrayMap(answer -> answer.2, by_person) AS values, toUInt32(count()) AS item_count
FROM (SELECT scorer, item_id, arraySort(groupArray((annotator, compared))) AS by_person FROM ${answers} GROUP BY scorer, item_id)
GROUP BY scorer, values`,
      UnitRow,
    ),
    query(
      sql`SELECT toUInt32(uniqExact(item_id)) AS item_count
FROM (SELECT item_id FROM ${answers} GROUP BY scorer, item_id HAVING uniqExact(compared) > 1)`,
      CountRow,
    ),
    readItems(store, queue, comparable, page, reader),
  ])
  const scorers = [...kindByScorer].map(([name, kind]) => {
    const own = counted.filter((row) => row.scorer === name)
    return summarizeScorer(
      { name, kind },
      {
        versions: own.filter(({ annotator }) => annotator === ''),
        values: own.filter(({ annotator }) => annotator !== ''),
        units: units.filter((row) => row.scorer === name),
      },
    )
  })
  const { total = 0, completed = 0, skipped = 0 } = counts.get(queueId) ?? {}
  return {
    total_items: total,
    completed_items: completed,
    skipped_items: skipped,
    disagreed_items: differing?.item_count ?? 0,
    annotators,
    scorers,
    items,
  }
}

/** The kinds of the queue's scorers in its order, then of others; by the version that the queue names, else the one most used. */
async function readKinds(
  readRefs: ReadRefs,
  queue: StoredQueue,
  usedRefs: readonly z.infer<typeof UsedRefRow>[],
  reader: RequestReader,
): Promise<Map<string, FieldKind>> {
  const refByName = new Map<string, string>()
  for (const ref of queue.scorer_refs) {
    const parts = parseScorerRef(ref)
    if (typeof parts === 'object' && !refByName.has(parts.name)) refByName.set(parts.name, ref)
  }
  for (const { scorer, annotation_ref: ref } of usedRefs) if (!refByName.has(scorer)) refByName.set(scorer, ref)
  const kindByRef = await readFieldKinds(readRefs, queue.project_id, [...new Set(refByName.values())], reader)
  return new Map([...refByName].map(([name, ref]) => [name, kindByRef.get(ref) ?? 'other']))
}

async function readItems(
  store: Store,
  { project_id: projectId, id: queueId }: StoredQueue,
  comparable: readonly string[],
  page: Page,
  reader: RequestReader,
): Promise<QueueResults['items']> {
  const statement = sql`SELECT item_id, call_id, disagreements, answers
FROM (
  SELECT item_id, any(call_id) AS call_id, arraySort(groupArrayIf(scorer, is_differing)) AS disagreements,
    arrayFlatten(groupArray(own)) AS answers
  FROM (
    SELECT scorer, item_id, any(call_id) AS call_id, has(${comparable}, scorer) AND uniqExact(value) > 1 AS is_differing,
      groupArray((scorer, annotator, value, annotation_ref, id, created_at, toUInt32(answer_count))) AS own
    FROM ${selectAnswers(projectId, queueId)} GROUP BY scorer, item_id
  )
  GROUP BY item_id
) AS answered
INNER JOIN (SELECT id, created_at FROM queue_items FINAL WHERE project_id = ${projectId} AND queue_id = ${queueId}) AS items
  ON items.id = answered.item_id
ORDER BY length(disagreements) DESC, items.created_at, item_id
${limitOffset(page)}`
  const rows = await store.query(statement, ItemRow, { ...reader, maxResultBytes: maxResponseBytes }).catch((error: unknown) => {
    if (isTooLarge(error)) requireResponseFits({ rows: Infinity, bytes: Infinity }, "Set a smaller 'limit' and page by 'offset'.")
    throw error
  })
  return rows.map(({ item_id, call_id, disagreements, answers }) => ({
    item_id,
    call_id,
    disagreements,
    answers: answers.map(([scorer, annotator, value, ref, feedbackId, createdAt, answerCount]) => ({
      scorer,
      annotator,
      value: new JsonText(value),
      annotation_ref: ref,
      feedback_id: feedbackId,
      created_at: createdAt,
      answer_count: answerCount,
    })),
  }))
}
