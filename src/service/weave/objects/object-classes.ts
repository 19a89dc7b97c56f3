/** What a value says of its own class: the class itself, and the one right below the root of all objects. */
export type ObjectClasses = { leaf: string; base: string }

const roots = new Set<unknown>(['Object', 'BaseObject'])

/**
 * Clients write `_class_name` and `_bases` into a value, the bases from near to far: `['Scorer', 'Object', 'BaseModel']`.
 * Undefined where the value is not such an object.
 */
export function classesOf(val: unknown): ObjectClasses | undefined {
  if (typeof val !== 'object' || val === null) return undefined
  const bases: unknown = Reflect.get(val, '_bases')
  const leaf: unknown = Reflect.get(val, '_class_name')
  if (!Array.isArray(bases) || typeof leaf !== 'string') return undefined
  const [base, root, model]: unknown[] = [bases.at(-3), bases.at(-2), bases.at(-1)]
  if (model !== 'BaseModel' || !roots.has(root)) return undefined
  return { leaf, base: typeof base === 'string' ? base : leaf }
}

/** Ops are code kept in a file; everything else is an object. */
export function kindOf(val: unknown): 'op' | 'object' {
  if (typeof val !== 'object' || val === null) return 'object'
  const type: unknown = Reflect.get(val, 'weave_type')
  return typeof type === 'object' && type !== null && Reflect.get(type, 'type') === 'Op' ? 'op' : 'object'
}
