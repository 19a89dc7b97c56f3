import {
  countRowsOfTables,
  countTableRows,
  createTable,
  createTableFromDigests,
  queryTable,
  type TableChange,
  updateTable,
} from '../../../contract/tables'
import { HttpError } from '../../http/http-error'
import { type Route, route } from '../../http/route'
import type { QueryOptions, Store } from '../../store/store'
import { sortPlaces } from './sort-places'
import { storeRows, storeTable } from './store-table'
import { countRows, readPlaces, readRowDigests, readRows, readSizes } from './table-rows'

/** Most rows of a table; it grows by updates beyond what one request can carry. */
const mostTableRows = 1_000_000
/** Each of them shifts the rows behind it. */
const mostMoves = 1000

export function tableRoutes({ store }: { store: Store }): Route[] {
  return [
    route(createTable, async ({ table: { project_id: projectId, rows } }, { requireProject }) => {
      requireProject(projectId)
      const rowDigests = await storeRows(store, projectId, rows)
      return { digest: await storeTable(store, projectId, rowDigests), row_digests: rowDigests }
    }),

    route(createTableFromDigests, async ({ project_id: projectId, row_digests: rowDigests }) => {
      const known = await readSizes(store, projectId, [...new Set(rowDigests)])
      const missing = rowDigests.findIndex((digest) => !known.has(digest))
      if (missing >= 0) {
        throw new HttpError('not_found', {
          loc: ['body', 'row_digests', String(missing)],
          msg: 'This project has no such row. Rows are created with /table/create.',
          type: 'not_found',
        })
      }
      return { digest: await storeTable(store, projectId, rowDigests) }
    }),

    route(updateTable, async ({ project_id: projectId, base_digest: baseDigest, updates }) => {
      await requireTable(store, projectId, baseDigest, 'base_digest')
      const base = await readRowDigests(store, projectId, baseDigest)
      requireChanges(base.length, updates)
      const added = await storeRows(store, projectId, updates.flatMap(rowsOf))
      const { rowDigests, updated } = changed(base, updates, added)
      return { digest: await storeTable(store, projectId, rowDigests), updated_row_digests: updated }
    }),

    route(queryTable, async ({ project_id: projectId, digest, filter, limit, offset, sort_by: keys = [] }, { signal }) => {
      await requireTable(store, projectId, digest, 'digest', { signal })
      const range = { projectId, digest, rowDigests: filter?.row_digests, limit, offset }
      const places =
        keys.length > 0 ? await sortPlaces(store, range, keys, { signal }) : await readPlaces(store, range, { signal })
      return { rows: await readRows(store, projectId, places, { signal }) }
    }),

    route(countTableRows, async ({ project_id: projectId, digest }, { signal }) => ({
      count: await requireTable(store, projectId, digest, 'digest', { signal }),
    })),

    route(countRowsOfTables, async ({ project_id: projectId, digests = [] }, { signal }) => {
      const counts = await countRows(store, projectId, digests, { signal })
      return { tables: [...counts].map(([digest, count]) => ({ digest, count })) }
    }),
  ]
}

/** How many rows the table has. Refuses (404) one that the project does not have. */
async function requireTable(store: Store, projectId: string, digest: string, field: string, options?: QueryOptions) {
  const count = (await countRows(store, projectId, [digest], options)).get(digest)
  if (count !== undefined) return count
  throw new HttpError('not_found', { loc: ['body', field], msg: 'This project has no such table.', type: 'not_found' })
}

function rowsOf(change: TableChange): Readonly<Record<string, unknown>>[] {
  if ('append' in change) return [change.append.row]
  return 'insert' in change ? [change.insert.row] : []
}

/** Refuses changes that the table cannot take, before anything is stored. */
function requireChanges(count: number, updates: readonly TableChange[]): void {
  let rowCount = count
  let moves = 0
  for (const [index, change] of updates.entries()) {
    const isPop = 'pop' in change
    if (isPop || 'insert' in change) {
      moves += 1
      const [name, position, most] = isPop
        ? (['pop', change.pop.index, rowCount - 1] as const)
        : (['insert', change.insert.index, rowCount] as const)
      if (position > most) {
        const msg =
          most < 0 ? 'The table has no rows left by then.' : `There is no position ${position} by then: at most ${most}.`
        throw new HttpError('invalid', { loc: ['body', 'updates', String(index), name, 'index'], msg, type: 'less_than_equal' })
      }
    }
    rowCount += isPop ? -1 : 1
  }
  const problem =
    rowCount > mostTableRows
      ? `The table would have ${rowCount} rows: at most ${mostTableRows}.`
      : moves > mostMoves
        ? `Too many pops and inserts: at most ${mostMoves} in one request, appends not counted.`
        : undefined
  if (problem) throw new HttpError('invalid', { loc: ['body', 'updates'], msg: problem, type: 'too_long' })
}

/** The rows after the changes, and the digests of rows that were added or taken away. `added` are those of the new rows, in order. */
function changed(base: readonly string[], updates: readonly TableChange[], added: readonly string[]) {
  const rowDigests = [...base]
  let next = 0
  const updated = updates.flatMap((change) => {
    if ('pop' in change) return rowDigests.splice(change.pop.index, 1)
    const digests = added.slice(next, (next += 1))
    rowDigests.splice('append' in change ? rowDigests.length : change.insert.index, 0, ...digests)
    return digests
  })
  return { rowDigests, updated }
}
