import type { SpendGroup } from '../../contract/spend'
import { TimeSlices } from '../lib/time-slices'
import { PriceBook } from '../pricing/price-book'
import type { QueryOptions, Store, StreamOptions } from '../store/store'
import { requireKnownModels } from './require-known-models'
import {
  findIntervals,
  HourRow,
  ModelRow,
  selectCallsOfSeveralModels,
  selectCells,
  selectHours,
  selectModels,
} from './spend-cells'
import { SpendGroups } from './spend-groups'
import type { SpendRequest } from './spend-request'
import { SpentCallsRow } from './spent-row'
import { TimeZone } from './time-zone'

/**
 * What the calls of a project spent, in groups. Call `SpendDeriver.flush` first. The engine adds up calls that have the same
 * prices; prices are applied to these sums here, so that a new price counts from the next query on.
 */
export async function querySpend(store: Store, request: SpendRequest, reader: QueryOptions): Promise<SpendGroup[]> {
  const { project_id: projectId, reprice_as: references = [], interval } = request
  const options: QueryOptions = { ...reader, lane: 'scan' }
  const prices = new PriceBook(store, projectId)
  await requireKnownModels(prices, references, reader)
  const found = await store.query(selectModels(request), ModelRow, options)
  const models = found.flatMap(({ model, is_of_several }) => (is_of_several ? [] : [model]))
  await prices.load(models, reader)
  const timeZone = new TimeZone(request.time_zone ?? 'UTC')
  const hours = interval === undefined ? [] : (await store.query(selectHours(request), HourRow, options)).map(({ hour }) => hour)
  const intervals = interval === undefined ? [] : findIntervals(hours, interval, timeZone)
  const boundaries = prices.boundariesOf([...models, ...references.map(({ llm_id }) => llm_id)])
  const groups = new SpendGroups(request, prices)
  const slices = new TimeSlices()
  const hasSeveral = found.some(({ is_of_several }) => is_of_several)
  const cellOptions: StreamOptions = { ...options, hasSlowStart: Boolean(request.filter?.thread_ids?.length) }
  const statements = [selectCells(request, boundaries, intervals), ...(hasSeveral ? [selectCallsOfSeveralModels(request)] : [])]
  for (const statement of statements) {
    for await (const rows of store.stream(statement, SpentCallsRow, cellOptions)) {
      await prices.load(
        rows.flatMap(({ shares }) => shares.map(({ model }) => model)),
        reader,
      )
      for (const calls of rows) {
        if (slices.isOver) await slices.next()
        groups.add(calls)
      }
    }
  }
  return await groups.toPage(slices)
}
