import * as z from 'zod/mini'

/**
 * A value in the browser's storage. `read` returns undefined for a missing value and for one that does not fit the schema
 * (damaged, or from another version). Where storage is forbidden or full, `write` does nothing.
 */
export function storedValue<Schema extends z.core.$ZodType>(schema: Schema, key: string, kind: 'tab' | 'device') {
  const storage = () => (kind === 'tab' ? sessionStorage : localStorage)
  return {
    key,
    read(): z.output<Schema> | undefined {
      try {
        const text = storage().getItem(key)
        return text === null ? undefined : z.safeParse(schema, JSON.parse(text)).data
      } catch {
        return undefined
      }
    },
    write(value: z.input<Schema>): void {
      try {
        storage().setItem(key, JSON.stringify(value))
      } catch {
        // Storage is forbidden or full; the value lives as long as the page.
      }
    },
    remove(): void {
      try {
        storage().removeItem(key)
      } catch {
        // Storage is forbidden, so there is nothing to remove.
      }
    },
  }
}
