import type { Attributes, Json } from './span'

type Tree = Map<string, Json | Tree>

const deepestKey = 16

/**
 * Attributes as their dotted keys mean them, so that a path leads to each: `a.b.c` is c in b in a, and keys that count
 * 0, 1, 2 … make a list. A key that cannot be placed so, because `a` is a value already, stays whole beside it.
 */
export function nested(attributes: Attributes): { [key: string]: Json } {
  const root: Tree = new Map()
  // In order, so that a value is in its place before the keys below it are, whatever order they were sent in.
  for (const key of [...attributes.keys()].toSorted()) {
    const value = attributes.get(key) ?? null
    const path = key.split('.', deepestKey + 1)
    const last = path.at(-1) ?? key
    const owner = path.length > deepestKey || path.includes('') ? undefined : branchAt(root, path.slice(0, -1))
    if (owner) owner.set(last, value)
    else root.set(key, value)
  }
  return Object.fromEntries([...root].map(([key, value]) => [key, jsonOf(value)]))
}

/** The branch at a path, made where it is missing; undefined where a value stands in the way. */
function branchAt(root: Tree, path: readonly string[]): Tree | undefined {
  let branch = root
  for (const part of path) {
    const next = branch.get(part) ?? new Map()
    if (!(next instanceof Map)) return undefined
    branch.set(part, next)
    branch = next
  }
  return branch
}

function jsonOf(value: Json | Tree): Json {
  if (!(value instanceof Map)) return value
  const isList = [...value.keys()].every((_, index) => value.has(String(index)))
  if (isList) return [...value.keys()].map((_, index) => jsonOf(value.get(String(index)) ?? null))
  return Object.fromEntries([...value].map(([key, each]) => [key, jsonOf(each)]))
}
