import { isMap, type JsonObject } from './attribute-reader'
import type { Attributes, Json } from './attributes'

/** The attributes without those of some dotted keys, which may be within maps. */
export function withoutKeys(attributes: Attributes, keys: readonly string[]): Attributes {
  if (keys.length === 0) return attributes
  const removed = new Set(keys)
  const left = new Map<string, Json>()
  for (const [name, value] of attributes) {
    if (!removed.has(name)) left.set(name, isMap(value) ? withoutKeysBelow(name, value, keys) : value)
  }
  return left
}

function withoutKeysBelow(name: string, map: JsonObject, keys: readonly string[]): Json {
  const below = keys.filter((key) => key.startsWith(`${name}.`)).map((key) => key.slice(name.length + 1))
  return below.length > 0 ? Object.fromEntries(withoutKeys(new Map(Object.entries(map)), below)) : map
}
