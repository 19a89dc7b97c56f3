import {
  countRowsOfTables,
  countTableRows,
  createTable,
  createTableFromDigests,
  queryTable,
  updateTable,
} from '../../../contract/tables'
import type { BodyParts } from '../../http/body-parts'
import { HttpError } from '../../http/http-error'
import { forEachPart, type Preparation, type Preparer } from '../../http/prepare/preparation'
import { largeBodyRoute, readerOfProject, type RequestContext, type Route, route } from '../../http/route'
import type { User } from '../../http/user'
import type { Store } from '../../store/store'
import { findTables } from './find-tables'
import { changeKinds, type CompactChanges, prepareTable, prepareTableFromDigests, prepareTableUpdate } from './prepare-table'
import { readSortedPositions } from './sort-positions'
import { storeRows, storeTable } from './store-table'
import { readPositions, readRowDigests, readTableRows, readSizes } from './table-rows'

// Updates let a table grow beyond what one request can carry.
const maxTableRows = 1_000_000
// Each pop and insert shifts the rows behind it.
const maxShifts = 1000

export function tableRoutes({ store, preparer }: { store: Store; preparer: Preparer }): Route[] {
  const prepare = <Part, Result>(
    preparation: Preparation<{ user: User }, Part, Result>,
    body: BodyParts,
    context: RequestContext,
  ) => preparer.prepare(preparation, body, { user: context.user }, context)
  return [
    largeBodyRoute(createTable, async ({ body }, context) => {
      const rowDigests: string[] = []
      const { projectId } = await forEachPart(prepare(prepareTable, body, context), async (portion) => {
        await storeRows(store, portion, readerOfProject(context, portion.projectId))
        rowDigests.push(...portion.digests)
      })
      const digest = await storeTable(store, projectId, rowDigests, readerOfProject(context, projectId))
      return { kind: 'json', value: { digest, row_digests: rowDigests }, schema: createTable.response }
    }),

    largeBodyRoute(createTableFromDigests, async ({ body }, context) => {
      const rowDigests: string[] = []
      const { projectId } = await forEachPart(prepare(prepareTableFromDigests, body, context), async (part) => {
        const sizeByDigest = await readSizes(
          store,
          part.projectId,
          [...new Set(part.digests)],
          readerOfProject(context, part.projectId),
        )
        const missingIndex = part.digests.findIndex((digest) => !sizeByDigest.has(digest))
        if (missingIndex >= 0) throw missingRow(rowDigests.length + missingIndex)
        rowDigests.push(...part.digests)
      })
      const digest = await storeTable(store, projectId, rowDigests, readerOfProject(context, projectId))
      return { kind: 'json', value: { digest }, schema: createTableFromDigests.response }
    }),

    largeBodyRoute(updateTable, async ({ body }, context) => {
      let base: string[] = []
      let changes: CompactChanges = { kinds: new Uint8Array(), indexes: new Float64Array() }
      const added: string[] = []
      const { projectId } = await forEachPart(prepare(prepareTableUpdate, body, context), async (part) => {
        const reader = readerOfProject(context, part.projectId)
        if ('changes' in part) {
          const table = (await findTables(store, part.projectId, [part.baseDigest], reader)).get(part.baseDigest)
          if (!table) throw missingBase()
          base = await readRowDigests(store, part.projectId, table.digest, reader)
          changes = part.changes
          requireValidChanges(base.length, changes)
        } else {
          await storeRows(store, part, reader)
          added.push(...part.digests)
        }
      })
      const { rowDigests, updatedDigests } = applyChanges(base, changes, added)
      const digest = await storeTable(store, projectId, rowDigests, readerOfProject(context, projectId))
      return { kind: 'json', value: { digest, updated_row_digests: updatedDigests }, schema: updateTable.response }
    }),

    route(
      queryTable,
      async ({ project_id: projectId, digest, filter, limit, offset, sort_by: keys = [] }, { reader }) => {
        const table = (await findTables(store, projectId, [digest], reader)).get(digest)
        if (!table) return { rows: [] }
        const range = { projectId, digest: table.digest, rowDigests: filter?.row_digests, limit, offset }
        const positions =
          keys.length > 0 ? await readSortedPositions(store, range, keys, reader) : await readPositions(store, range, reader)
        return { rows: await readTableRows(store, projectId, positions, reader) }
      },
      { readsCalls: false },
    ),

    route(
      countTableRows,
      async ({ project_id: projectId, digest }, { reader }) => ({
        count: (await findTables(store, projectId, [digest], reader)).get(digest)?.rowCount ?? 0,
      }),
      { readsCalls: false },
    ),

    route(
      countRowsOfTables,
      async ({ project_id: projectId, digests = [] }, { reader }) => {
        const tables = await findTables(store, projectId, digests, reader)
        return { tables: [...tables].map(([digest, { rowCount: count }]) => ({ digest, count })) }
      },
      { readsCalls: false },
    ),
  ]
}

function missingBase(): HttpError {
  return new HttpError('not_found', { loc: ['body', 'base_digest'], msg: 'This project has no such table.', type: 'not_found' })
}

function missingRow(index: number): HttpError {
  return new HttpError('not_found', {
    loc: ['body', 'row_digests', String(index)],
    msg: 'This project has no such row. Rows are created with /table/create.',
    type: 'not_found',
  })
}

/** Throws (422) for changes that the table cannot take, before anything is stored. */
function requireValidChanges(count: number, { kinds, indexes }: CompactChanges): void {
  let rowCount = count
  let shifts = 0
  for (const [index, kind] of kinds.entries()) {
    const isPop = kind === changeKinds.pop
    if (kind !== changeKinds.append) {
      shifts += 1
      const position = indexes[index] ?? 0
      const [name, maxPosition] = isPop ? (['pop', rowCount - 1] as const) : (['insert', rowCount] as const)
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
function applyChanges(base: readonly string[], { kinds, indexes }: CompactChanges, added: readonly string[]) {
  const rowDigests = [...base]
  const updatedDigests: string[] = []
  let next = 0
  for (const [position, kind] of kinds.entries()) {
    const index = kind === changeKinds.append ? rowDigests.length : (indexes[position] ?? 0)
    if (kind === changeKinds.pop) updatedDigests.push(...rowDigests.splice(index, 1))
    else {
      const digests = added.slice(next, (next += 1))
      rowDigests.splice(index, 0, ...digests)
      updatedDigests.push(...digests)
    }
  }
  return { rowDigests, updatedDigests }
}
