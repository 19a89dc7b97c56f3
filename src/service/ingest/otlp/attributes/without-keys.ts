import { isMap } from './attribute-reader'
import type { Attributes, Json } from './attributes'

/** The attributes without those of some dotted keys, which may be within maps. */
export function withoutKeys(attributes: Attributes, keys: readonly string[]): Attributes {
  const removed = new Set(keys)
  return new Map(
    [...attributes].flatMap(([name, value]) => (removed.has(name) ? [] : [[name, withoutKeysBelow(name, value, keys)] as const])),
  )
}

function withoutKeysBelow(name: string, value: Json, keys: readonly string[]): Json {
  if (!isMap(value)) return value
  const below = keys.filter((key) => key.startsWith(`${name}.`)).map((key) => key.slice(name.length + 1))
  return below.length > 0 ? Object.fromEntries(withoutKeys(new Map(Object.entries(value)), below)) : value
}
