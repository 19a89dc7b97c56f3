import type { SpendGroup } from '../../../contract/spend'
import { compareInstants } from '../../../contract/instant'
import { TimeSlices } from '../../lib/time-slices'
import { PriceBook } from '../../pricing/price-book'
import { toEngineTime } from '../../store/engine-time'
import { dateTime, joinSql, type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { findOwnUsage, type OwnUsage } from '../../usage/own-usage'
import { requireKnownModels } from '../require-known-models'
import { SpendGroups } from '../spend-groups'
import type { SpendRequest } from '../spend-request'
import type { SpentCalls } from '../spent-calls'
import { readTraces, type UsageCall } from './read-traces'

/** The reference model of `querySpend`: each call is read with its whole trace and priced by itself. */
export async function referenceSpend(store: Store, request: SpendRequest, reader: QueryOptions): Promise<SpendGroup[]> {
  const { project_id: projectId } = request
  const options: QueryOptions = { ...reader, lane: 'scan' }
  const prices = new PriceBook(store, projectId)
  await requireKnownModels(prices, request.reprice_as ?? [], reader)
  const groups = new SpendGroups(request, prices)
  const slices = new TimeSlices()
  for await (const trace of readTraces(store, projectId, selectStarted(request), options)) {
    const spent = (await findOwnUsage(trace, slices)).filter((own) => isSelected(own, request.filter))
    await prices.load(
      spent.flatMap(({ usage }) => [...usage.keys()]),
      reader,
    )
    for (const own of spent) {
      if (slices.isOver) await slices.next()
      groups.add(toSpentCalls(own))
    }
  }
  return await groups.toPage(slices)
}

/** The ids of calls that may start between the bounds. */
function selectStarted({ project_id: projectId, filter }: SpendRequest): Sql {
  const { after_datetime: after, before_datetime: before } = filter ?? {}
  const conditions = [
    sql`project_id = ${projectId}`,
    ...(after === undefined ? [] : [sql`started_at > ${dateTime(toEngineTime(after))}`]),
    ...(before === undefined ? [] : [sql`started_at < ${dateTime(toEngineTime(before))}`]),
  ]
  return sql`SELECT id FROM call_starts WHERE ${joinSql(conditions, ' AND ')}`
}

/** Models and providers are selected with the shares of a call: they depend on its prices. */
function isSelected({ call, threadId, userId }: OwnUsage<UsageCall>, filter: SpendRequest['filter'] = {}): boolean {
  const { after_datetime: after, before_datetime: before } = filter
  return (
    (after === undefined || compareInstants(call.started_at, after) > 0) &&
    (before === undefined || compareInstants(call.started_at, before) < 0) &&
    isOneOf(call.op_name, filter.op_names) &&
    isOneOf(userId, filter.users) &&
    isOneOf(threadId, filter.thread_ids)
  )
}

function isOneOf(value: string | null, values: readonly string[] = []): boolean {
  return values.length === 0 || (value !== null && values.includes(value))
}

function toSpentCalls({ call, threadId, userId, usage }: OwnUsage<UsageCall>): SpentCalls {
  return {
    callCount: 1,
    startedAt: call.started_at,
    opName: call.op_name,
    provider: call.provider,
    userId,
    threadId,
    shares: [...usage].map(([model, tokens]) => ({ model, usage: tokens, inputTokens: tokens.prompt_tokens })),
  }
}
