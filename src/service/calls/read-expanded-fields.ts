import * as z from 'zod/mini'
import { parseCallField, type JsonColumn } from '../../contract/call-fields'
import type { CallSortKey } from '../../contract/call-requests'
import { HttpError } from '../http/http-error'
import { JsonText } from '../lib/json-text'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { callConditions, type CallConditions, fieldsIn } from './call-conditions'
import { type ExpandedFields, jsonAtPath } from './call-field-sql'
import { chooseSource, inLaneOf } from './find-call-ids'

type JsonPath = { column: JsonColumn; path: readonly string[] }
type Input = CallConditions & { sort_by?: readonly CallSortKey[] | undefined; expand_columns?: readonly string[] | undefined }
type ResolveRefs = (refs: readonly string[]) => Promise<unknown[]>

/** They are parameters of the statement. */
const maxRefs = 1000
const maxValueCharacters = 1024 * 1024

const RefRow = z.object({ ref: z.string() })

/**
 * The fields of `query` and `sort_by` that lead through a reference at one of `expand_columns`. The values are read beforehand,
 * for each different reference in the calls that meet the filter, because the engine cannot follow references.
 */
export async function readExpandedFields(
  store: Store,
  input: Input,
  resolveRefs: ResolveRefs,
  options: QueryOptions,
): Promise<ExpandedFields> {
  const fields = new Map<string, Sql>()
  const expandColumns = (input.expand_columns ?? []).flatMap((name) => toJsonPath(name) ?? [])
  if (expandColumns.length === 0) return fields
  const names = [...(input.query ? fieldsIn(input.query.$expr) : []), ...(input.sort_by ?? []).map(({ field }) => field)]
  for (const name of new Set(names)) {
    const field = toJsonPath(name)
    const place = field && findPlace(field, expandColumns)
    if (!field || !place) continue
    const holder = sql`JSONExtractString(${jsonAtPath(place.column, place.path)})`
    const refs = await readRefs(store, input, holder, name, options)
    if (refs.length === 0) continue
    const below = field.path
      .slice(place.path.length)
      .map((key) => `/${/^\d+$/.test(key) ? 'index' : 'attr'}/${encodeURIComponent(key)}`)
    const values = (await resolveRefs(refs.map((ref) => ref + below.join('')))).map(toText)
    if (values.reduce((sum, text) => sum + text.length, 0) > maxValueCharacters) throw tooMuch(name)
    fields.set(name, sql`transform(${holder}, ${refs}, ${values}, ${jsonAtPath(field.column, field.path)})`)
  }
  return fields
}

function toJsonPath(name: string): JsonPath | undefined {
  const field = parseCallField(name)
  return field && 'column' in field ? field : undefined
}

/** The first reference on the way to the field: what it leads to is read with all references behind it. */
function findPlace(field: JsonPath, expandColumns: readonly JsonPath[]): JsonPath | undefined {
  return expandColumns
    .filter(
      ({ column, path }) =>
        column === field.column && path.length < field.path.length && path.every((key, index) => key === field.path[index]),
    )
    .toSorted((left, right) => left.path.length - right.path.length)[0]
}

async function readRefs(store: Store, { project_id, filter }: Input, holder: Sql, name: string, options: QueryOptions) {
  const source = await chooseSource(store, { project_id, filter }, options)
  const prefix = `weave:///${project_id}/`
  const statement = sql`SELECT DISTINCT ${holder} AS ref FROM ${source.sql}
WHERE ${callConditions({ project_id, filter })} AND startsWith(ref, ${prefix}) LIMIT ${uint64(maxRefs + 1)}`
  const rows = await store.query(statement, RefRow, { ...inLaneOf(source, { filter }, options), lane: 'scan' })
  if (rows.length > maxRefs) throw tooMuch(name)
  return rows.map(({ ref }) => ref)
}

function toText(value: unknown): string {
  if (value instanceof JsonText) return value.text
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

function tooMuch(name: string): HttpError {
  return new HttpError('invalid', {
    loc: ['body', 'expand_columns'],
    msg: `The calls have too many different references to compare '${name}': at most ${maxRefs}, with values of at most 1 MiB together. Narrow the 'filter'.`,
    type: 'value_error',
  })
}
