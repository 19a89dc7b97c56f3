import type { FieldType } from './expression'

/** Everything a call is read with, in wire order. */
export const callColumns = [
  'id',
  'project_id',
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'exception',
  'attributes',
  'inputs',
  'output',
  'summary',
  'wb_user_id',
  'deleted_at',
] as const
export type CallColumn = (typeof callColumns)[number]

/** What other servers keep of a call and this one does not: accepted as columns, null when read. */
export const unstoredColumns = [
  'wb_run_id',
  'wb_run_step',
  'wb_run_step_end',
  'storage_size_bytes',
  'total_storage_size_bytes',
] as const
export type UnstoredColumn = (typeof unstoredColumns)[number]

/** Columns that hold JSON; a dotted path reaches into them. */
export const jsonColumns = ['attributes', 'inputs', 'output', 'summary'] as const
export type JsonColumn = (typeof jsonColumns)[number]

/** Columns that hold one value, and what is worked out for each call, as fields of queries and sorts. */
export const plainCallFieldTypes = {
  id: 'string',
  project_id: 'string',
  op_name: 'string',
  display_name: 'string',
  trace_id: 'string',
  parent_id: 'string',
  thread_id: 'string',
  turn_id: 'string',
  started_at: 'datetime',
  ended_at: 'datetime',
  exception: 'string',
  wb_user_id: 'string',
  'summary.weave.status': 'string',
  'summary.weave.latency_ms': 'number',
  'summary.weave.trace_name': 'string',
} as const satisfies Record<string, FieldType>
export type PlainCallField = keyof typeof plainCallFieldTypes

/** A field of a call: one with a type of its own, or a place in JSON (`path` is empty for the whole column). */
export type CallField = { name: PlainCallField } | { column: JsonColumn; path: string[] }

const plainFields = new Map<string, PlainCallField>(
  Object.keys(plainCallFieldTypes).map((name) => [name, name as PlainCallField]), // the keys of that very object
)

/** For messages: which fields there are. */
export const supportedCallFields = `${Object.keys(plainCallFieldTypes).join(', ')}, and paths into attributes, inputs, output and summary such as inputs.question`

const longestPath = 16

/**
 * Reads the name of a field. Parts of a path are parted by dots; a dot that belongs to a key is written `\.`, as in
 * `summary.usage.gpt-4\.1.requests`. A part of digits is a position where a list is found. Undefined: no such field.
 */
export function parseCallField(name: string): CallField | undefined {
  const plain = plainFields.get(name)
  if (plain) return { name: plain }
  const [first, ...path] = splitPath(name)
  const column = jsonColumns.find((each) => each === first)
  const isReadable = path.length <= longestPath && path.every((part) => part !== '')
  // The rest of `summary.weave` is made when a call is read, so no row has it.
  const isMade = column === 'summary' && path[0] === 'weave'
  return column && isReadable && !isMade ? { column, path } : undefined
}

export function callFieldType(name: string): FieldType | undefined {
  const field = parseCallField(name)
  return field && ('name' in field ? plainCallFieldTypes[field.name] : 'json')
}

function splitPath(name: string): string[] {
  return name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
}
