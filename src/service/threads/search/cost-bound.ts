import * as z from 'zod/mini'
import type { HighestPrices } from '../../pricing/highest-prices'
import { PriceBook } from '../../pricing/price-book'
import { engineTime, textOrNull } from '../../store/row-types'
import { anyShares, firstStart, maxCharged } from '../../store/spend-tables'
import { joinSql, type Sql, sql, toFloatText } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import type { Selection } from './search-request'
import { isNamed } from './thread-conditions'

// The most that a thread can have cost, without looking at its calls: its tokens by model at the highest price that they may
// have had. That is more than the cost where prices depend on the length of a prompt, the hour or the date, where rows are
// outdated, and beyond the window of a filter; it is never less.

const currency = 'USD'
/** Sums of doubles are off by far less. */
const roundUp = sql`1.000001`
const kinds = ['cacheRead', 'input', 'output', 'requests'] as const satisfies readonly (keyof HighestPrices)[]

const ModelRow = z.object({ model: z.string(), provider: textOrNull, first_start: engineTime })

/** A SELECT of the ids of all threads that may have cost so much, and of a few more. */
export async function selectDearThreads(store: Store, selection: Selection, minCost: string, reader: QueryOptions): Promise<Sql> {
  return sql`SELECT thread_id FROM (${await selectMaxCosts(store, selection, reader)}) WHERE max_cost >= toFloat64(${minCost})`
}

/** A SELECT of the threads that spent anything, with the most that each may have cost. */
export async function selectMaxCosts(
  store: Store,
  { project_id: projectId, filter }: Selection,
  reader: QueryOptions,
): Promise<Sql> {
  const isMeant = joinSql([sql`project_id = ${projectId}`, sql`thread_id != ''`, ...isNamed(filter ?? {})], ' AND ')
  const models = await store.query(
    sql`SELECT model, provider, ${firstStart} AS first_start FROM spent_calls WHERE ${isMeant} GROUP BY model, provider`,
    ModelRow,
    { ...reader, lane: 'scan' },
  )
  const prices = new PriceBook(store, projectId)
  await prices.load(
    models.map(({ model }) => model),
    reader,
  )
  const priced = models.map(({ model, provider, first_start: from }) => ({
    // The length keeps 'a' of provider 'bc' apart from 'ab' of provider 'c'.
    key: `${Buffer.byteLength(model)} ${model}${provider ?? ''}`,
    highest: prices.highestPrices(model, provider ?? undefined, from, currency),
  }))
  const costs = kinds.flatMap((kind) => {
    const some = priced.filter(({ highest }) => highest[kind] > 0)
    if (some.length === 0) return []
    const keys = some.map(({ key }) => key)
    const amounts = some.map(({ highest }) => toFloatText(highest[kind]))
    return [
      sql`${maxCharged[kind]} * transform(concat(toString(length(model)), ' ', model, provider), ${keys}, arrayMap(amount -> toFloat64(amount), ${amounts}), 0.)`,
    ]
  })
  // What calls of several models cost is not in the columns.
  return sql`SELECT thread_id, sum(cost) * ${roundUp} AS max_cost FROM (
  SELECT thread_id, if(${anyShares} != '', inf, ${joinSql(costs, ' + ', sql`0.`)}) AS cost
  FROM spent_calls WHERE ${isMeant} GROUP BY thread_id, model, provider
) GROUP BY thread_id`
}
