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
import { readerOfProject, type Route, route } from '../../http/route'
import type { QueryOptions, Store } from '../../store/store'
import { readSortedPositions } from './sort-positions'
import { storeRows, storeTable } from './store-table'
import { countRows, readPositions, readRowDigests, readTableRows, readSizes } from './table-rows'

// Updates let a table grow beyond what one request can carry.
const maxTableRows = 1_000_000
// Each pop and insert shifts the rows behind it.
const maxShifts = 1000

export function tableRoutes({ store }: { store: Store }): Route[] {
  return [
    route(createTable, async ({ table: { project_id: projectId, rows } }, context) => {
      context.requireProject(projectId)
      const reader = readerOfProject(context, projectId)
      const rowDigests = await storeRows(store, projectId, rows, reader)
      return { digest: await storeTable(store, projectId, rowDigests, reader), row_digests: rowDigests }
    }),

    route(createTableFromDigests, async ({ project_id: projectId, row_digests: rowDigests }, { reader }) => {
      const sizeByDigest = await readSizes(store, projectId, [...new Set(rowDigests)], reader)
      const missingIndex = rowDigests.findIndex((digest) => !sizeByDigest.has(digest))
      if (missingIndex >= 0) {
        throw new HttpError('not_found', {
          loc: ['body', 'row_digests', String(missingIndex)],
          msg: 'This project has no such row. Rows are created with /table/create.',
          type: 'not_found',
        })
      }
      return { digest: await storeTable(store, projectId, rowDigests, reader) }
    }),

    route(updateTable, async ({ project_id: projectId, base_digest: baseDigest, updates }, { reader }) => {
      await requireTable(store, projectId, baseDigest, 'base_digest', reader)
      const base = await readRowDigests(store, projectId, baseDigest, reader)
      requireValidChanges(base.length, updates)
      const added = await storeRows(store, projectId, updates.flatMap(newRows), reader)
      const { rowDigests, updatedDigests } = applyChanges(base, updates, added)
      return { digest: await storeTable(store, projectId, rowDigests, reader), updated_row_digests: updatedDigests }
    }),

    route(queryTable, async ({ project_id: projectId, digest, filter, limit, offset, sort_by: keys = [] }, { reader }) => {
      await requireTable(store, projectId, digest, 'digest', reader)
      const range = { projectId, digest, rowDigests: filter?.row_digests, limit, offset }
      const positions =
        keys.length > 0 ? await readSortedPositions(store, range, keys, reader) : await readPositions(store, range, reader)
      return { rows: await readTableRows(store, projectId, positions, reader) }
    }),

    route(countTableRows, async ({ project_id: projectId, digest }, { reader }) => ({
      count: await requireTable(store, projectId, digest, 'digest', reader),
    })),

    route(countRowsOfTables, async ({ project_id: projectId, digests = [] }, { reader }) => {
      const counts = await countRows(store, projectId, digests, reader)
      return { tables: [...counts].map(([digest, count]) => ({ digest, count })) }
    }),
  ]
}

/** The number of rows of the table. Throws (404) where the project does not have it. */
async function requireTable(store: Store, projectId: string, digest: string, field: string, options: QueryOptions) {
  const count = (await countRows(store, projectId, [digest], options)).get(digest)
  if (count !== undefined) return count
  throw new HttpError('not_found', { loc: ['body', field], msg: 'This project has no such table.', type: 'not_found' })
}

function newRows(change: TableChange): Readonly<Record<string, unknown>>[] {
  if ('append' in change) return [change.append.row]
  return 'insert' in change ? [change.insert.row] : []
}

/** Throws (422) for changes that the table cannot take, before anything is stored. */
function requireValidChanges(count: number, updates: readonly TableChange[]): void {
  let rowCount = count
  let shifts = 0
  for (const [index, change] of updates.entries()) {
    const isPop = 'pop' in change
    if (isPop || 'insert' in change) {
      shifts += 1
      const [name, position, maxPosition] = isPop
        ? (['pop', change.pop.index, rowCount - 1] as const)
        : (['insert', change.insert.index, rowCount] as const)
      if (position > maxPosition) {
        const msg =
          maxPosition < 0
            ? 'The table has no rows left at this change.'
            : `The table has no position ${position} at this change: at most ${maxPosition}.`
        throw new HttpError('invalid', { loc: ['body', 'updates', String(index), name, 'index'], msg, type: 'less_than_equal' })
      }
    }
    rowCount += isPop ? -1 : 1
  }
  const problem =
    rowCount > maxTableRows
      ? `The table would have ${rowCount} rows: at most ${maxTableRows}.`
      : shifts > maxShifts
        ? `Too many pops and inserts: at most ${maxShifts} in one request, without appends.`
        : undefined
  if (problem) throw new HttpError('invalid', { loc: ['body', 'updates'], msg: problem, type: 'too_long' })
}

/** The rows after the changes, and the digests of those added or removed. `added` are the digests of the new rows, in order. */
function applyChanges(base: readonly string[], updates: readonly TableChange[], added: readonly string[]) {
  const rowDigests = [...base]
  let next = 0
  const updatedDigests = updates.flatMap((change) => {
    if ('pop' in change) return rowDigests.splice(change.pop.index, 1)
    const digests = added.slice(next, (next += 1))
    rowDigests.splice('append' in change ? rowDigests.length : change.insert.index, 0, ...digests)
    return digests
  })
  return { rowDigests, updatedDigests }
}
