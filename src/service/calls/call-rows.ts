import { type CallColumn, callColumns, jsonColumns, type UnstoredColumn, unstoredColumns } from '../../contract/call-fields'
import { LastValues } from '../lib/last-values'
import {
  type MergedColumn,
  providerSql,
  selectCallsById,
  selectCallsWhere,
  selectCommonFieldsById,
  selectCommonPartsById,
  type TimeRange,
  usageSenderSql,
} from '../store/merged-calls'
import { identifier, joinSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { ifNotTooLarge } from '../store/store-error'
import { mergeParts } from './merge-parts'
import { MergedCallRow, StoredCallRow } from './stored-call-row'

/** What a request reads of each call. */
export type Selection = { columns: ReadonlySet<CallColumn>; unstored: readonly UnstoredColumn[]; hasCosts: boolean }

const requiredColumns = ['id', 'project_id', 'op_name', 'trace_id', 'started_at'] as const

/** The columns named in a request, or all. Costs and feedback are part of the summary. */
export function toSelection(names: readonly string[] | undefined, hasCosts: boolean, hasFeedback: boolean): Selection {
  if (!names?.length) return { columns: new Set(callColumns), unstored: [], hasCosts }
  const wanted = new Set(names.map((name) => jsonColumns.find((column) => name.startsWith(`${column}.`)) ?? name))
  if (hasCosts || hasFeedback) wanted.add('summary')
  // As in W&B Weave: what status, latency and trace name are calculated from.
  if (wanted.has('summary')) wanted.add('ended_at').add('exception').add('display_name')
  return {
    columns: new Set([...requiredColumns, ...callColumns.filter((column) => wanted.has(column))]),
    unstored: unstoredColumns.filter((column) => wanted.has(column)),
    hasCosts,
  }
}

/** Whether many calls of the last page of a project had rare fields. Then all columns are read at once. */
const areRareFieldsFrequent = new LastValues<boolean>(1000)
/** A page of fewer calls says little about its project. */
const minPageCalls = 20
const maxRareShare = 0.1

/**
 * The engine merges parts that have more bytes than this together. To parse and compare two parts of 14 MB here blocked the event loop
 * for 0.4 s. A batch of an export has about half as many bytes.
 */
const maxPartBytes = 16 * 1024 * 1024

/**
 * Reads calls in the order of `ids`. Ids without a started call are left out. Every start that a part of these calls reports has to be
 * in `starts`, where that is given.
 */
export async function readCallRows(
  store: Store,
  projectId: string,
  ids: readonly string[],
  selection: Selection,
  { starts, ...options }: QueryOptions & { starts?: TimeRange | undefined },
): Promise<MergedCallRow[]> {
  const read = async (select: typeof selectCallsById, some: readonly string[], limits: QueryOptions = {}) => {
    const calls = { ids: some, names: [...selectedNames(selection)], more: selectMore(selection), starts }
    return await store.query(select(projectId, calls), StoredCallRow, { ...options, ...lookupOf(some), ...limits })
  }
  const readParts = async () => {
    // Costs are calculated from merged columns.
    if (ids.length === 1 || selection.hasCosts) return undefined
    return await ifNotTooLarge(read(selectCommonPartsById, ids, { maxResultBytes: maxPartBytes }))
  }
  const readCommon = async () => {
    const parts = await readParts()
    return parts ? mergeParts(parts) : await read(selectCommonFieldsById, ids)
  }
  const readsAll = areRareFieldsFrequent.get(projectId, '') ?? false
  const rows = readsAll ? await read(selectCallsById, ids) : await readCommon()
  const rareIds = rows.flatMap(({ id, has_rare_fields: hasRareFields }) => (hasRareFields ? id : []))
  if (rows.length >= minPageCalls) areRareFieldsFrequent.set(projectId, '', rareIds.length > maxRareShare * rows.length)
  if (!readsAll && rareIds.length > 0) rows.push(...(await read(selectCallsById, rareIds)))
  // Those with rare fields come last.
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowById.get(id)
    return row && isShown(row) ? row : []
  })
}

function isShown(row: StoredCallRow): row is StoredCallRow & MergedCallRow {
  return !row.is_deleted && row.started_at !== null
}

type MatchingRows = { ids: readonly string[]; condition: Sql; order?: Sql; selection: Selection }

/** Reads those of the calls that meet `condition`. `order` may have a limit. */
export async function readMatchingRows(
  store: Store,
  projectId: string,
  { ids, condition, order, selection }: MatchingRows,
  options: QueryOptions,
): Promise<MergedCallRow[]> {
  const list = joinSql(
    [sql`id`, ...[...selectedNames(selection)].map((name) => identifier(name)), ...selectMore(selection)],
    ', ',
  )
  const statement = selectCallsWhere(projectId, sql`id IN ${ids}`, { list, condition, ...(order && { order }) })
  return await store.query(statement, MergedCallRow, { ...options, ...lookupOf(ids) })
}

function lookupOf(ids: readonly string[]): QueryOptions {
  return ids.length <= maxLookupIds ? { lookup: 'wide' } : {}
}

/** Of more ids, a large part of the table is read. */
const maxLookupIds = 1000

/** Whether it shows the turn of a span, or whether a call below it failed: both depend on its trace. */
export function hasPlaces({ columns }: Selection): boolean {
  return columns.has('turn_id') || columns.has('summary')
}

/** Beside `id`. */
function selectedNames(selection: Selection): ReadonlySet<MergedColumn> {
  const names = new Set<MergedColumn>()
  // No call has been deleted: a deleted call is not read.
  for (const name of selection.columns) if (name !== 'id' && name !== 'deleted_at') names.add(name)
  if (hasPlaces(selection)) names.add('is_span')
  return names
}

function selectMore({ hasCosts }: Selection): Sql[] {
  return hasCosts ? [sql`${providerSql} AS provider`, sql`${usageSenderSql} AS usage_sender`] : []
}
