import { isJsonObject } from '../../../contract/json-value'

/** The classes that a value names: its own, and its ancestor directly below the root class of all objects. */
export type ObjectClasses = { leaf: string; base: string }

const rootClasses = new Set<unknown>(['Object', 'BaseObject'])

/**
 * Reads `_class_name` and `_bases`, which clients write into a value; the bases begin with the nearest:
 * `['Scorer', 'Object', 'BaseModel']`. Undefined where the value names no classes.
 */
export function parseObjectClasses(val: unknown): ObjectClasses | undefined {
  if (!isJsonObject(val)) return undefined
  const { _bases: bases, _class_name: leaf } = val
  if (!Array.isArray(bases) || typeof leaf !== 'string') return undefined
  const [base, root, model]: unknown[] = [bases.at(-3), bases.at(-2), bases.at(-1)]
  if (model !== 'BaseModel' || !rootClasses.has(root)) return undefined
  return { leaf, base: typeof base === 'string' ? base : leaf }
}

/** Ops are code in a file; every other value is an object. */
export function parseObjectKind(val: unknown): 'op' | 'object' {
  if (!isJsonObject(val)) return 'object'
  const { weave_type: type } = val
  return isJsonObject(type) && type['type'] === 'Op' ? 'op' : 'object'
}
