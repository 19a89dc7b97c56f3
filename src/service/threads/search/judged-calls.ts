import type { SearchFilter } from './search-request'
import { toAnnotationType } from '../../../contract/annotation-spec'
import { joinSql, float64, type Sql, sql } from '../../store/sql'

type AnswerFilter = NonNullable<SearchFilter['answers']>[number]

/** The ids of the calls that people have judged, as a subquery. Reads the rows of all feedback of the project, not their payloads. */
export function selectJudgedCalls(projectId: string): Sql {
  return sql`SELECT ${callId} FROM feedback FINAL WHERE ${isAnnotation(projectId, sql`startsWith(feedback_type, ${toAnnotationType('')})`)}`
}

/** The ids of the calls with this answer. */
export function selectAnsweredCalls(projectId: string, { scorer, value }: AnswerFilter): Sql {
  const isOfScorer = isAnnotation(projectId, sql`feedback_type = ${toAnnotationType(scorer)}`)
  if (value === undefined) return sql`SELECT ${callId} FROM feedback FINAL WHERE ${isOfScorer}`
  return sql`SELECT call_id FROM (
  SELECT ${callId} AS call_id, argMax(JSONExtractRaw(payload, 'value'), (created_at, id)) AS answer
  FROM feedback FINAL WHERE ${isOfScorer} GROUP BY call_id, created_by
) WHERE ${isValue(value)}`
}

// The parts of weave:///<entity>/<project>/call/<id>; the engine counts them from 1.
const callId = sql`splitByChar('/', weave_ref)[7]`

function isAnnotation(projectId: string, isOfType: Sql): Sql {
  const isOfCall = sql`startsWith(weave_ref, ${`weave:///${projectId}/call/`})`
  return joinSql([sql`project_id = ${projectId}`, sql`is_deleted = 0`, isOfType, isOfCall], ' AND ')
}

/** The words for true and false on the page. A category may have such a name too. */
const booleanByWord: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
])

/** `answer` is JSON as it was sent: 1 and 1.0 are the same, and so are characters and their escapes. */
function isValue(value: boolean | number | string): Sql {
  if (typeof value === 'boolean') return sql`answer = ${String(value)}`
  if (typeof value === 'number') return sql`toFloat64OrNull(answer) = ${float64(value)}`
  const boolean = booleanByWord.get(value.toLowerCase())
  const meanings = [
    sql`startsWith(answer, '"') AND JSONExtractString(answer) = ${value}`,
    sql`startsWith(answer, '[') AND has(JSONExtract(answer, 'Array(String)'), ${value})`,
    ...(boolean === undefined ? [] : [isValue(boolean)]),
  ]
  return joinSql(meanings, ' OR ')
}
