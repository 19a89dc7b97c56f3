import { isJsonObject } from '../../../../contract/json-value'
import type { Attributes, Json } from './attributes'

type Tree = Map<string, Json | Tree>

const maxKeyDepth = 16

/**
 * Attributes as nested objects: the key `a.b.c` becomes c in b in a, and keys that count 0, 1, 2 ... become a list. A key
 * that cannot be nested, because `a` has a value of its own, keeps its dots. A map is the same as dotted keys.
 */
export function nestAttributes(attributes: Attributes): { [key: string]: Json } {
  if (attributes.size === 0) return {}
  const root: Tree = new Map()
  addAll(root, attributes)
  return toObject(root)
}

function addAll(tree: Tree, attributes: Attributes): void {
  // Sorted, so that `a` comes before `a.b` in whatever order they were sent.
  for (const key of [...attributes.keys()].toSorted()) {
    const value = attributes.get(key) ?? null
    const path = key.split('.', maxKeyDepth + 1)
    const isNested = path.length <= maxKeyDepth && !path.includes('')
    const entries = isJsonObject(value) ? Object.entries(value) : []
    const last = path.at(-1) ?? key
    const branch = isNested ? findOrAddBranch(tree, path, entries.length > 0 ? path.length : path.length - 1) : undefined
    if (branch && entries.length > 0) addAll(branch, new Map(entries))
    else if (branch && !branch.has(last)) branch.set(last, value)
    else tree.set(key, value)
  }
}

/** The branch at the first names of a path, added where it is missing; undefined where the path leads through a value. */
function findOrAddBranch(root: Tree, path: readonly string[], length: number): Tree | undefined {
  let branch = root
  for (let index = 0; index < length; index += 1) {
    const name = path[index] ?? ''
    const known = branch.get(name) ?? undefined
    if (known !== undefined && !(known instanceof Map)) return undefined
    const next: Tree = known ?? new Map()
    if (!known) branch.set(name, next)
    branch = next
  }
  return branch
}

function toJson(value: Json | Tree): Json {
  if (!(value instanceof Map)) return value
  return isList(value) ? Array.from(value, (_, index) => toJson(value.get(String(index)) ?? null)) : toObject(value)
}

function isList(tree: Tree): boolean {
  for (let index = 0; index < tree.size; index += 1) if (!tree.has(String(index))) return false
  return true
}

function toObject(tree: Tree): { [key: string]: Json } {
  const object: { [key: string]: Json } = {}
  for (const [key, value] of tree) setOwn(object, key, toJson(value))
  return object
}

/** Assigning to '__proto__' would change the prototype. */
function setOwn(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
}
