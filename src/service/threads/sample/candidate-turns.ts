import type { Strata, TurnChoice } from '../../../contract/thread-sample-requests'
import { durationMicroseconds } from '../../derive/thread-columns'
import { type Sql, sql } from '../../store/sql'
import type { Selection } from '../search/search-request'
import { isSpentByThreads } from '../search/thread-conditions'
import { type SelectedTurns, toTurnKey } from '../shape/selected-turns'

/** A SELECT of the turns that a sample is taken of. */
export function selectCandidates({ fromTurns, fromFailedCalls }: SelectedTurns, choice: TurnChoice): Sql {
  const turns = sql`SELECT thread_id, id, started_at, ended_at ${fromTurns}`
  switch (choice) {
    case 'all':
      return turns
    case 'last':
      return sql`${turns} ORDER BY started_at DESC, id DESC LIMIT 1 BY thread_id`
    case 'slowest':
      return sql`${turns} AND ended_at IS NOT NULL ORDER BY ${durationMicroseconds} DESC, id LIMIT 1 BY thread_id`
    case 'failed':
      return sql`${turns} AND ${isAmong(fromFailedCalls)}`
  }
}

function isAmong(fromFailedCalls: Sql): Sql {
  return sql`${toTurnKey(sql`started_at`)} IN (SELECT ${toTurnKey(sql`turn_started_at`)} ${fromFailedCalls})`
}

/** The same turns with their stratum. */
export function selectStrata(
  candidates: Sql,
  stratifyBy: Strata | undefined,
  { fromFailedCalls }: SelectedTurns,
  selection: Selection,
): Sql {
  switch (stratifyBy) {
    case undefined:
      return sql`SELECT id, thread_id, '' AS stratum FROM (${candidates})`
    case 'errors':
      return sql`SELECT id, thread_id, if(${isAmong(fromFailedCalls)}, 'failed', 'others') AS stratum FROM (${candidates})`
    case 'slowest':
      return sql`SELECT id, thread_id, if(id IN (${selectSlowestTenth(candidates)}), 'slowest_tenth', 'others') AS stratum
FROM (${candidates})`
    case 'model':
      return sql`SELECT turns.id AS id, turns.thread_id AS thread_id, models.model AS stratum
FROM (SELECT id, thread_id, ${toTurnKey(sql`started_at`)} AS key FROM (${candidates})) AS turns
LEFT JOIN (${selectModels(selection)}) AS models USING key`
  }
}

/** The ids of a tenth of the finished turns, rounded up. Of turns that took equally long, the first ones. */
function selectSlowestTenth(candidates: Sql): Sql {
  const finished = sql`FROM (${candidates}) WHERE ended_at IS NOT NULL`
  return sql`SELECT id ${finished} ORDER BY ${durationMicroseconds} DESC, started_at, id
LIMIT (SELECT intDiv(count() + 9, 10) ${finished})`
}

/**
 * The model of each turn, by key: that of the call that spent most tokens, of several the last by name. Both are one text that
 * is compared as bytes, first the number in 16 hexadecimal digits: argMax over a tuple takes three times as long.
 */
function selectModels(selection: Selection): Sql {
  const ofShares = sql`arrayReduce('max', arrayMap(share -> ${toRankedName(
    sql`JSONExtractUInt(share, 'prompt_tokens') + JSONExtractUInt(share, 'completion_tokens')`,
    sql`JSONExtractString(share, 'model')`,
  )}, JSONExtractArrayRaw(shares)))`
  const ofCall = sql`if(shares = '', ${toRankedName(sql`prompt_tokens + completion_tokens`, sql`model`)}, ${ofShares})`
  return sql`SELECT ${toTurnKey(sql`turn_started_at`)} AS key, substring(max(${ofCall}), 17) AS model
FROM spent_calls FINAL WHERE ${isSpentByThreads(selection)} GROUP BY key`
}

/** hex() leaves out leading bytes of 0, so the number is lifted by 2^62. */
function toRankedName(tokens: Sql, name: Sql): Sql {
  return sql`concat(hex(toUInt64(${tokens} + 4611686018427387904)), ${name})`
}
