import { isJsonObject } from '../../../../contract/json-value'
import type { Attributes, Json } from './attributes'

type Tree = Map<string, Json | Tree>

const maxKeyDepth = 16

/**
 * Attributes as nested objects: the key `a.b.c` becomes c in b in a, and keys that count 0, 1, 2 ... become a list. A key
 * that cannot be nested, because `a` has a value of its own, keeps its dots. A map is the same as dotted keys.
 */
export function nestAttributes(attributes: Attributes): { [key: string]: Json } {
  const root: Tree = new Map()
  addAll(root, attributes)
  return Object.fromEntries([...root].map(([key, value]) => [key, toJson(value)]))
}

function addAll(tree: Tree, attributes: Attributes): void {
  // Sorted, so that `a` comes before `a.b` in whatever order they were sent.
  for (const key of [...attributes.keys()].toSorted()) {
    const value = attributes.get(key) ?? null
    const path = key.split('.', maxKeyDepth + 1)
    const isNested = path.length <= maxKeyDepth && !path.includes('')
    const entries = isJsonObject(value) ? Object.entries(value) : []
    const last = path.at(-1) ?? key
    const branch = isNested ? findOrAddBranch(tree, entries.length > 0 ? path : path.slice(0, -1)) : undefined
    if (branch && entries.length > 0) addAll(branch, new Map(entries))
    else if (branch && !branch.has(last)) branch.set(last, value)
    else tree.set(key, value)
  }
}

/** The branch at a path, added where it is missing; undefined where the path leads through a value. */
function findOrAddBranch(root: Tree, path: readonly string[]): Tree | undefined {
  let branch = root
  for (const name of path) {
    const next = branch.get(name) ?? new Map()
    if (!(next instanceof Map)) return undefined
    branch.set(name, next)
    branch = next
  }
  return branch
}

function toJson(value: Json | Tree): Json {
  if (!(value instanceof Map)) return value
  const isList = [...value.keys()].every((_, index) => value.has(String(index)))
  if (isList) return [...value.keys()].map((_, index) => toJson(value.get(String(index)) ?? null))
  return Object.fromEntries([...value].map(([key, each]) => [key, toJson(each)]))
}
