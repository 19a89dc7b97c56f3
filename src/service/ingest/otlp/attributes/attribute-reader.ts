import { isJsonObject } from '../../../../contract/json-value'
import type { Attributes, Json } from './attributes'
import type { KeyIndex, PresentPlaces } from './key-index'
import { createJsonTextBudget, parseJsonText } from './parse-json-text'

export type JsonObject = { readonly [key: string]: Json }

/**
 * The attributes of a span by their dotted keys, also of those within maps: `usage.input` is also `input` in the map
 * `usage`. The maps are searched and not flattened, because the keys of a deep map would fill the memory.
 */
export class AttributeReader {
  private readonly parsed = new Map<string, Json>()
  private readonly hasMaps: boolean
  private present: { index: KeyIndex; places: PresentPlaces } | undefined

  constructor(
    readonly attributes: Attributes,
    /** The library that made the span. */
    readonly scope: { readonly name: string; readonly version: string } = { name: '', version: '' },
    /** For the JSON in its texts; readers of one span share it. */
    readonly textBudget = createJsonTextBudget(),
  ) {
    this.hasMaps = hasMap(attributes)
  }

  get(key: string): Json | undefined {
    const value = this.attributes.get(key)
    if (value !== undefined || !this.hasMaps) return value
    return findInMaps((head) => this.attributes.get(head), key)
  }

  /** The text of an attribute that is not empty, a number as text. */
  text(key: string): string | undefined {
    return toText(this.get(key))
  }

  /** What an index says of these attributes, found once. */
  presentPlaces(index: KeyIndex): PresentPlaces {
    if (this.present?.index !== index) this.present = { index, places: index.findPresent(this.attributes) }
    return this.present.places
  }

  /** The entries of a map, by their names, whether it was sent as a map, as JSON text or as attributes with dotted keys. */
  map(key: string): JsonObject | undefined {
    const value = this.json(key)
    const prefix = `${key}.`
    const entries = isMap(value) ? Object.entries(value) : []
    for (const [each, own] of this.attributes) if (each.startsWith(prefix)) entries.push([each.slice(prefix.length), own])
    return entries.length > 0 ? Object.fromEntries(entries) : undefined
  }

  /** A value within an attribute that holds a map or its JSON text. */
  within(key: string, path: string): Json | undefined {
    const sent = this.get(`${key}.${path}`)
    if (sent !== undefined) return sent
    const value = this.json(key)
    return isMap(value) ? findInMap(value, path) : undefined
  }

  /** The value of an attribute; the object or list that a text holds. */
  json(key: string): Json | undefined {
    const value = this.get(key)
    if (typeof value !== 'string') return value
    const parsed = this.parsed.get(key) ?? parseJsonText(value, this.textBudget)
    this.parsed.set(key, parsed)
    return parsed
  }
}

export function isMap(value: Json | undefined): value is JsonObject {
  return isJsonObject(value)
}

export function toText(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function hasMap(attributes: Attributes): boolean {
  for (const value of attributes.values()) if (isMap(value)) return true
  return false
}

function findInMap(map: JsonObject, key: string): Json | undefined {
  return ownValue(map, key) ?? findInMaps((head) => ownValue(map, head), key)
}

/** Splits the key at each of its dots, because the keys of maps may have dots too. */
function findInMaps(get: (head: string) => Json | undefined, key: string): Json | undefined {
  for (let dot = key.indexOf('.'); dot !== -1; dot = key.indexOf('.', dot + 1)) {
    const map = get(key.slice(0, dot))
    const value = isMap(map) ? findInMap(map, key.slice(dot + 1)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

function ownValue(map: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
