import * as z from 'zod/mini'

/**
 * A value kept in the browser's storage, read through its schema: what is absent, broken or from another version reads
 * as undefined. Storage itself may be forbidden or full; then the value lives as long as the page.
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
        // Forbidden or full: see above.
      }
    },
    remove(): void {
      try {
        storage().removeItem(key)
      } catch {
        // Forbidden: then there is nothing to remove.
      }
    },
  }
}
