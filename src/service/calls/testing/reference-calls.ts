import type * as z from 'zod/mini'
import type { CallSortKey, QueryCalls } from '../../../contract/call-requests'
import { compareText } from '../../../contract/compare-text'
import { formatInstant, parseInstant } from '../../../contract/instant'
import type { Call } from '../../../contract/calls'
import type { CallRow } from '../../ingest/call-row'

// A reference model of calls in plain TypeScript. Tests compare what the store returns with it.

type Filter = NonNullable<z.output<typeof QueryCalls>['filter']>

function greatestText(values: (string | undefined)[]): string | null {
  return (
    values
      .filter((value): value is string => value !== undefined && value !== '')
      .toSorted(compareText)
      .at(-1) ?? null
  )
}

function greatestJson(values: unknown[]): unknown {
  const texts = values.filter((value) => value !== undefined && value !== null).map((value) => JSON.stringify(value))
  const greatest = greatestText(texts)
  return greatest === null ? null : JSON.parse(greatest)
}

function instants(values: (string | undefined)[]): bigint[] {
  return values
    .flatMap((value) => {
      const instant = value === undefined ? undefined : parseInstant(value)
      return typeof instant === 'bigint' ? [instant] : []
    })
    .toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0))
}

/** The calls that the parts of one project make up. A call without a start is left out. */
export function referenceCalls(parts: readonly CallRow[]): Call[] {
  return [...new Set(parts.map(({ id }) => id))].flatMap((id) => {
    const own = parts.filter((part) => part.id === id)
    const start = instants(own.map((part) => part.started_at))[0]
    const end = instants(own.map((part) => part.ended_at)).at(-1)
    if (start === undefined) return []
    const text = (name: 'op_name' | 'trace_id' | 'parent_id' | 'thread_id' | 'turn_id' | 'wb_user_id') =>
      greatestText(own.map((part) => part[name]))
    const json = (name: 'attributes' | 'inputs' | 'output' | 'summary') => greatestJson(own.map((part) => part[name]))
    const given = own.flatMap(({ given_name: name }) => name ?? []).toSorted((left, right) => left.version - right.version)
    const display = given.at(-1)?.name ?? greatestText(own.map((part) => part.display_name))
    const exception = greatestText(own.map((part) => part.exception))
    const summary = (json('summary') ?? {}) as { status_counts?: { error?: number } } // as the parts of the test have it
    const op = text('op_name') ?? ''
    const status =
      exception !== null
        ? ('error' as const)
        : end === undefined
          ? ('running' as const)
          : (summary.status_counts?.error ?? 0) > 0
            ? ('descendant_error' as const)
            : ('success' as const)
    return [
      {
        id,
        project_id: own[0]?.project_id ?? '',
        op_name: op,
        display_name: display || null,
        trace_id: text('trace_id') ?? '',
        parent_id: text('parent_id'),
        thread_id: text('thread_id'),
        turn_id: text('turn_id'),
        started_at: formatInstant(start),
        ended_at: end === undefined ? null : formatInstant(end),
        exception,
        attributes: json('attributes') ?? {},
        inputs: json('inputs') ?? {},
        output: json('output'),
        summary: {
          ...summary,
          weave: {
            status,
            latency_ms: end === undefined ? null : end > start ? Number(end - start) / 1000 : 0,
            trace_name: display || (op.startsWith('weave:///') ? (op.split('/').at(-1)?.split(':')[0] ?? '') : op),
          },
        },
        wb_user_id: text('wb_user_id'),
        deleted_at: null,
      },
    ]
  })
}

export function matchesFilter(call: Call, filter: Filter): boolean {
  const isIn = (values: readonly string[] | undefined, value: string | null | undefined) =>
    !values?.length || (typeof value === 'string' && values.includes(value))
  const hasName = (name: string) => (name.endsWith(':*') ? call.op_name.startsWith(name.slice(0, -1)) : call.op_name === name)
  return (
    isIn(filter.call_ids, call.id) &&
    isIn(filter.trace_ids, call.trace_id) &&
    isIn(filter.parent_ids, call.parent_id) &&
    isIn(filter.thread_ids, call.thread_id) &&
    isIn(filter.turn_ids, call.turn_id) &&
    isIn(filter.wb_user_ids, call.wb_user_id) &&
    (!filter.op_names?.length || filter.op_names.some(hasName)) &&
    (!filter.trace_roots_only || call.parent_id === null)
  )
}

/** Nulls are last in both directions, numbers of JSON before its other values; the id, in the direction of the last key, breaks ties. */
export function sortCalls(calls: readonly Call[], keys: readonly CallSortKey[] | undefined): Call[] {
  const all = keys?.length ? keys : [{ field: 'started_at', direction: 'asc' } as const]
  const last = all.at(-1)?.direction ?? 'asc'
  return calls.toSorted((left, right) => {
    for (const { field, direction } of all) {
      const order = compareNullsLast(valueOf(left, field), valueOf(right, field), direction)
      if (order !== 0) return order
    }
    return last === 'asc' ? compareText(left.id, right.id) : compareText(right.id, left.id)
  })
}

function valueOf(call: Call, field: string): unknown {
  return field.split('.').reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined // any JSON object
  }, call)
}

function compareNullsLast(left: unknown, right: unknown, direction: 'asc' | 'desc'): number {
  const rank = (value: unknown) => (value === null || value === undefined ? 2 : typeof value === 'number' ? 0 : 1)
  if (rank(left) !== rank(right)) return rank(left) - rank(right)
  if (rank(left) === 2) return 0
  const order = typeof left === 'number' && typeof right === 'number' ? left - right : compareWireValues(left, right)
  return direction === 'asc' ? order : -order
}

function compareWireValues(left: unknown, right: unknown): number {
  const [first, second] = [left, right].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const times = [first, second].map((text) => parseInstant(text ?? ''))
  const [a, b] = times
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  return compareText(first ?? '', second ?? '')
}
