import * as z from 'zod/mini'
import { refineAs } from './schema'

/** Most entries of a list, or of an object of records, in a request. */
const mostEntries = 100_000

/** A list whose length is judged before its items, so that a body full of nonsense is one problem and not millions. */
export function list<Item extends z.core.SomeType>(item: Item, most = mostEntries): z.ZodMiniArray<Item> {
  const judged: unknown = z.pipe(z.array(z.unknown()).check(z.maxLength(most)), z.array(item))
  return judged as z.ZodMiniArray<Item> // it takes what its second half takes; pipe() is typed by the first
}

/** The same for an object whose keys are names the sender chose. */
export function dictionary<Key extends z.core.$ZodRecordKey, Value extends z.core.SomeType>(
  key: Key,
  value: Value,
): z.ZodMiniRecord<Key, Value> {
  const isSmall = refineAs<object>(
    'too_long',
    (entries) => Object.keys(entries).length <= mostEntries,
    `Too many: at most ${mostEntries}.`,
  )
  // zod leaves this key out without a word, and what was sent under it would be lost.
  const isNameable = refineAs<unknown>(
    'value_error',
    (entries) => typeof entries !== 'object' || entries === null || !Object.hasOwn(entries, '__proto__'),
    "'__proto__' cannot be a name here.",
  )
  const judged: unknown = z.pipe(
    z.unknown().check(isNameable),
    z.pipe(z.record(z.string(), z.unknown()).check(isSmall), z.record(key, value)),
  )
  return judged as z.ZodMiniRecord<Key, Value> // as above
}
