import type { QueryFieldType } from './expression'
import { maxFieldNameLength } from './limits'
import { isLongerThan } from './schema'

/** The columns of a call, in wire order. */
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

/** Columns of W&B Weave that this service does not store: accepted in requests, null when read. */
export const unstoredColumns = [
  'wb_run_id',
  'wb_run_step',
  'wb_run_step_end',
  'storage_size_bytes',
  'total_storage_size_bytes',
] as const
export type UnstoredColumn = (typeof unstoredColumns)[number]

/** Columns that hold JSON. A dotted path reads a value inside. */
export const jsonColumns = ['attributes', 'inputs', 'output', 'summary'] as const
export type JsonColumn = (typeof jsonColumns)[number]

/** Fields for queries and sorting: columns with one value, and values that the service calculates for each call. */
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
} as const satisfies Record<string, QueryFieldType>
export type PlainCallField = keyof typeof plainCallFieldTypes

/** A field of a call: one with a type, or a path in a JSON column (`path` is empty for the whole column). */
export type CallField = { name: PlainCallField } | { column: JsonColumn; path: string[] }

const plainFieldByName = new Map<string, PlainCallField>(
  Object.keys(plainCallFieldTypes).map((name) => [name, name as PlainCallField]), // Object.keys() loses the type
)

const maxPathLength = 16

/** The supported fields, for messages. */
export const supportedCallFields = `${Object.keys(plainCallFieldTypes).join(', ')}, and paths into attributes, inputs, output and summary such as inputs.question with up to ${maxPathLength} keys`

/**
 * Parses the name of a field. Dots separate the keys of a path; a dot inside a key is written `\.`, as in
 * `summary.usage.gpt-4\.1.requests`. In a list, a key of digits is a position. Undefined where there is no such field.
 */
export function parseCallField(name: string): CallField | undefined {
  const plain = plainFieldByName.get(name)
  if (plain) return { name: plain }
  if (isLongerThan(name, maxFieldNameLength)) return undefined
  const [first, ...path] = splitPath(name)
  const column = jsonColumns.find((each) => each === first)
  const isValidPath = path.length <= maxPathLength && path.every((part) => part !== '')
  // Only the plain fields of `summary.weave` are known to SQL; the rest is added to a call when it is read.
  const isCalculated = column === 'summary' && path[0] === 'weave'
  return column && isValidPath && !isCalculated ? { column, path } : undefined
}

export function callFieldType(name: string): QueryFieldType | undefined {
  const field = parseCallField(name)
  return field && ('name' in field ? plainCallFieldTypes[field.name] : 'json')
}

function splitPath(name: string): string[] {
  return name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
}
