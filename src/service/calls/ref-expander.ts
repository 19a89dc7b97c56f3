import { parseCallField, type JsonColumn } from '../../contract/call-fields'
import type { Call } from '../../contract/calls'
import { isJsonObject } from '../../contract/json-value'
import { JsonText } from '../lib/json-text'
import { TimeSlices } from '../lib/time-slices'

/** A value within a column of a call, and how to replace it. */
type Place = { value: unknown; replace: (value: unknown) => void }
type ExpandedPath = { column: JsonColumn; path: readonly string[] }

/** Larger columns and values are not parsed, because that would keep all other requests waiting: their references stay. */
const maxParsedCharacters = 4 * 1024 * 1024

/** Values of references that are kept for the next calls of a query. */
const maxKeptValues = 1000

/** Replaces references in calls by what they refer to, at the paths of `expand_columns`. */
export class RefExpander {
  /** By the number of keys: what a short path leads to may hold the reference of a longer one. */
  private readonly pathsByLength = new Map<number, ExpandedPath[]>()
  private readonly kept = new Map<string, unknown>()

  constructor(
    expandColumns: readonly string[],
    private readonly resolveRefs: (refs: readonly string[]) => Promise<unknown[]>,
  ) {
    for (const field of expandColumns.map(parseCallField)) {
      if (!field || !('column' in field)) continue
      const sameLength = this.pathsByLength.get(field.path.length)
      if (sameLength) sameLength.push(field)
      else this.pathsByLength.set(field.path.length, [field])
    }
  }

  async expand(calls: readonly Call[], projectId: string): Promise<void> {
    const slices = new TimeSlices()
    for (const [, paths] of [...this.pathsByLength].toSorted(([left], [right]) => left - right)) {
      const found: { ref: string; place: Place }[] = []
      for (const call of calls) {
        if (slices.isOver) await slices.next()
        for (const path of paths) {
          const place = findPlace(call, path)
          if (isObjectRef(place?.value, projectId)) found.push({ ref: place.value, place })
        }
      }
      const values = await this.readValues(found.map(({ ref }) => ref))
      for (const { ref, place } of found) place.replace(values.get(ref) ?? ref)
    }
  }

  private async readValues(refs: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const missing = [...new Set(refs)].filter((ref) => !this.kept.has(ref))
    const values = missing.length > 0 ? await this.resolveRefs(missing) : []
    const all = new Map(refs.flatMap((ref) => (this.kept.has(ref) ? [[ref, this.kept.get(ref)]] : [])))
    for (const [index, ref] of missing.entries()) {
      const value = withRef(values[index], ref)
      all.set(ref, value)
      if (this.kept.size < maxKeptValues) this.kept.set(ref, value)
    }
    return all
  }
}

function isObjectRef(value: unknown, projectId: string): value is string {
  return typeof value === 'string' && ['object', 'op'].some((kind) => value.startsWith(`weave:///${projectId}/${kind}/`))
}

/** An object names the reference that it was read from, as in W&B Weave. */
function withRef(resolved: unknown, ref: string): unknown {
  if (resolved instanceof JsonText && resolved.text.length > maxParsedCharacters) return undefined
  const value = resolved instanceof JsonText ? resolved.parse() : resolved
  return isJsonObject(value) && !Object.hasOwn(value, '_ref') ? { ...value, _ref: ref } : value
}

/** Parses the column only where it may hold a reference. */
function findPlace(call: Call, { column, path }: ExpandedPath): Place | undefined {
  const stored = call[column]
  if (stored instanceof JsonText) {
    if (stored.text.length > maxParsedCharacters || !stored.text.includes('"weave:///')) return undefined
    Object.assign(call, { [column]: stored.parse() })
  }
  let holder: object = call
  let key: string = column
  for (const next of path) {
    const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
    if (typeof value !== 'object' || value === null || value instanceof JsonText) return undefined
    holder = value
    key = next
  }
  if (!Object.hasOwn(holder, key)) return undefined
  return { value: Reflect.get(holder, key), replace: (value) => void Reflect.set(holder, key, value) }
}
