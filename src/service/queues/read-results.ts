import * as z from 'zod/mini'
import { compareText } from '../../contract/compare-text'
import type { FieldKind } from '../../contract/field-schema'
import type { QueueResults, readQueueResults } from '../../contract/queue-results'
import { parseScorerRef } from '../../contract/scorer-ref'
import type { RequestReader } from '../http/route'
import type { LastValues } from '../lib/last-values'
import { engineTime } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { type ItemTime, selectAnnotators } from './item-sql'
import { countItems } from './item-store'
import type { StoredQueue } from './queue-store'
import { readContentKeys } from './read-content-keys'
import { isComparable, readFieldKinds, type ReadRefs } from './read-specs'
import { readResultItems } from './read-result-items'
import { selectAnswers } from './select-answers'
import { summarizeScorer } from './summarize-scorer'

/** What does not depend on the page. `callIds`: of the items with answers, in their order; `sortedCallIds`: by id. */
export type ResultSummary = Omit<QueueResults, 'items'> & {
  callIds: readonly string[]
  sortedCallIds: readonly string[]
  comparable: readonly string[]
}

type Deps = { store: Store; readRefs: ReadRefs; summaries: LastValues<ResultSummary> }
type Page = Pick<z.output<typeof readQueueResults.request>, 'limit' | 'offset' | 'after_call_id'>

const AnnotatorRow = z.object({
  annotator: z.string(),
  completed_count: z.number(),
  skipped_count: z.number(),
  last_reviewed_at: engineTime,
  median_review_ms: z.nullable(z.number()),
})

const UsedRefRow = z.object({ scorer: z.string(), annotation_ref: z.string() })
/**
 * One of three: the answers of a person with a value; without a person, those for a version of the scorer; with `values`, the
 * items that have these answers, in the order of the people's names.
 */
const CountedRow = z.object({
  scorer: z.string(),
  annotator: z.string(),
  value: z.string(),
  annotation_ref: z.string(),
  values: z.array(z.string()),
  answer_count: z.number(),
  item_count: z.number(),
})
const AnsweredRow = z.object({ call_ids: z.array(z.string()), sorted_call_ids: z.array(z.string()), disagreed_count: z.number() })

/** What people answered in a queue. The summary is remembered until somebody completes an item or corrects an answer. */
export async function readResults(
  deps: Deps,
  queue: StoredQueue,
  { limit, offset = 0, after_call_id: afterCallId }: Page,
  time: ItemTime,
  reader: RequestReader,
): Promise<QueueResults> {
  const { store, summaries } = deps
  const { project_id: projectId, id: queueId } = queue
  const keys = await readContentKeys(store, projectId, [queueId], reader, { hasAnswers: true })
  const { scorer_refs, reviews_per_item, assignees } = queue
  const key = JSON.stringify([keys.get(queueId), scorer_refs, reviews_per_item, assignees])
  const summary = summaries.get(queueId, key) ?? summaries.set(queueId, key, await summarize(deps, queue, time, reader))
  const { callIds, sortedCallIds, comparable, ...shared } = summary
  const listed = afterCallId === undefined ? callIds : sortedCallIds.slice(countUpTo(sortedCallIds, afterCallId))
  const page = listed.slice(offset, limit === undefined ? undefined : offset + limit)
  return { ...shared, items: await readResultItems(store, queue, { callIds: page, comparable }, reader) }
}

/** The engine counts equal answers, and items with the same answers: what is read grows with the number of different ones. */
async function summarize(deps: Deps, queue: StoredQueue, time: ItemTime, reader: RequestReader): Promise<ResultSummary> {
  const { project_id: projectId, id: queueId } = queue
  const query = async <Row extends z.core.SomeType>(statement: Sql, row: Row) => await deps.store.query(statement, row, reader)
  const usedRefs = await query(
    sql`SELECT scorer, annotation_ref FROM queue_answers WHERE project_id = ${projectId} AND queue_id = ${queueId}
GROUP BY scorer, annotation_ref ORDER BY scorer, count() DESC, annotation_ref`,
    UsedRefRow,
  )
  const kindByScorer = await readKinds(deps.readRefs, queue, usedRefs, reader)
  const comparable = [...kindByScorer].filter(([, kind]) => isComparable(kind)).map(([name]) => name)
  const answers = selectAnswers(projectId, queueId, comparable)
  const [counts, annotators, counted, [answered]] = await Promise.all([
    countItems(deps.store, queue, time, reader),
    query(selectAnnotators(projectId, queueId), AnnotatorRow),
    query(
      sql`SELECT scorer, annotator, value, annotation_ref, values, toUInt32(count()) AS answer_count, toUInt32(sum(is_first)) AS item_count
FROM (
  SELECT scorer, person.1 AS annotator, person.2 AS value, person.3 AS annotation_ref, arrayMap(each -> each.2, people) AS values,
    position = 1 AS is_first
  FROM (SELECT scorer, call_id, arraySort(groupArray((annotator, value, annotation_ref))) AS people FROM ${answers} GROUP BY scorer, call_id)
  ARRAY JOIN people AS person, arrayEnumerate(people) AS position
)
GROUP BY GROUPING SETS ((scorer, annotator, value), (scorer, annotation_ref), (scorer, values))
ORDER BY answer_count DESC, annotation_ref`,
      CountedRow,
    ),
    query(
      sql`SELECT arrayMap(item -> item.4, arraySort(groupArray((-disagreements, items.created_at, items.id, items.call_id)))) AS call_ids,
  arraySort(groupArray(items.call_id)) AS sorted_call_ids,
  toUInt32(countIf(disagreements > 0)) AS disagreed_count
FROM (
  SELECT call_id, toInt32(sum(is_differing)) AS disagreements
  FROM (SELECT scorer, call_id, min(value) != max(value) AS is_differing FROM ${answers} GROUP BY scorer, call_id)
  GROUP BY call_id
) AS answered
INNER JOIN (SELECT id, call_id, created_at FROM queue_items FINAL WHERE project_id = ${projectId} AND queue_id = ${queueId}) AS items
  ON items.call_id = answered.call_id`,
      AnsweredRow,
    ),
  ])
  const { total, completed, skipped } = counts
  return {
    total_items: total,
    completed_items: completed,
    skipped_items: skipped,
    disagreed_items: answered?.disagreed_count ?? 0,
    annotators,
    scorers: [...kindByScorer].map(([name, kind]) => {
      const own = counted.filter((row) => row.scorer === name)
      return summarizeScorer(
        { name, kind },
        {
          versions: own.filter(({ annotator, values }) => annotator === '' && values.length === 0),
          values: own.filter(({ annotator }) => annotator !== ''),
          units: own.filter(({ values }) => values.length > 0),
        },
      )
    }),
    callIds: answered?.call_ids ?? [],
    sortedCallIds: answered?.sorted_call_ids ?? [],
    comparable,
  }
}

/** How many of these ids, sorted by their bytes, are not after `id`. */
function countUpTo(sorted: readonly string[], id: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (compareText(sorted[middle] ?? '', id) > 0) to = middle
    else from = middle + 1
  }
  return from
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
