import { createTable, createTableFromDigests, type TableChange, updateTable } from '../../../contract/tables'
import { parseBody } from '../../http/incoming-request'
import type { Preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { canonicalJson, toDigest } from '../../lib/digest'
import { toStoredJson } from '../../lib/stored-json'

type TableContext = { user: User }

/** Rows that are written at once, as lines; `ends` are their ends in `lines`. */
export type RowPortion = { projectId: string; digests: string[]; lines: Uint8Array<ArrayBuffer>; ends: number[] }

/** What an update changes. It comes before the rows, because it is checked before they are stored. */
export type TableChanges = { projectId: string; baseDigest: string; changes: CompactChanges }

export type TableEnd = { projectId: string }

/** Changes without their rows: the kind of each, and its index (0 for an append). */
export type CompactChanges = { kinds: Uint8Array<ArrayBuffer>; indexes: Float64Array<ArrayBuffer> }
export const changeKinds = { append: 0, insert: 1, pop: 2 } as const

export const prepareTable: Preparation<TableContext, RowPortion, TableEnd> = {
  name: 'table',
  *prepare(body, { user }) {
    const { project_id: projectId, rows } = parseBody(createTable, body).table
    requireProject(user, projectId)
    yield* toRowPortions(projectId, rows)
    return { projectId }
  },
}

export const prepareTableUpdate: Preparation<TableContext, TableChanges | RowPortion, TableEnd> = {
  name: 'table update',
  *prepare(body, { user }) {
    const { project_id: projectId, base_digest: baseDigest, updates } = parseBody(updateTable, body)
    requireProject(user, projectId)
    yield { projectId, baseDigest, changes: toCompactChanges(updates) }
    yield* toRowPortions(projectId, updates.flatMap(newRows))
    return { projectId }
  },
}

const digestsPerPart = 5000

export const prepareTableFromDigests: Preparation<TableContext, { projectId: string; digests: string[] }, TableEnd> = {
  name: 'table from digests',
  *prepare(body, { user }) {
    const { project_id: projectId, row_digests: digests } = parseBody(createTableFromDigests, body)
    requireProject(user, projectId)
    for (let start = 0; start < digests.length; start += digestsPerPart) {
      yield { projectId, digests: digests.slice(start, start + digestsPerPart) }
    }
    return { projectId }
  },
}

const maxPortionRows = 1000
const maxPortionBytes = 4 * 1024 * 1024

function* toRowPortions(
  projectId: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Generator<RowPortion, void, undefined> {
  let digests: string[] = []
  let lines: Buffer[] = []
  let ends: number[] = []
  for (const [index, row] of rows.entries()) {
    const digest = toDigest(canonicalJson(row))
    const val = toStoredJson(row)
    const line = Buffer.from(`${JSON.stringify({ project_id: projectId, digest, val, size_bytes: Buffer.byteLength(val) })}\n`)
    const end = (ends.at(-1) ?? 0) + line.length
    digests.push(digest)
    lines.push(line)
    ends.push(end)
    if (digests.length < maxPortionRows && end < maxPortionBytes && index < rows.length - 1) continue
    yield { projectId, digests, lines: Buffer.concat(lines), ends }
    digests = []
    lines = []
    ends = []
  }
}

function newRows(change: TableChange): Readonly<Record<string, unknown>>[] {
  if ('append' in change) return [change.append.row]
  return 'insert' in change ? [change.insert.row] : []
}

function toCompactChanges(updates: readonly TableChange[]): CompactChanges {
  const kinds = new Uint8Array(updates.length)
  const indexes = new Float64Array(updates.length)
  for (const [position, change] of updates.entries()) {
    kinds[position] = 'append' in change ? changeKinds.append : 'insert' in change ? changeKinds.insert : changeKinds.pop
    indexes[position] = 'append' in change ? 0 : 'insert' in change ? change.insert.index : change.pop.index
  }
  return { kinds, indexes }
}
