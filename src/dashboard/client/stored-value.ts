import * as z from 'zod/mini'

// Module state: what storage did not take lives as long as the page.
const unstored = new Map<string, string>()

/**
 * A value in the browser's storage. `read` returns undefined for a missing value and for one that does not fit the schema
 * (damaged, or from another version). Where storage is forbidden or full, the value is kept until the page is closed.
 */
export function storedValue<Schema extends z.core.$ZodType>(schema: Schema, key: string, kind: 'tab' | 'device') {
  const storage = () => (kind === 'tab' ? sessionStorage : localStorage)
  return {
    key,
    read(): z.output<Schema> | undefined {
      try {
        const text = unstored.get(key) ?? storage().getItem(key)
        return text === null ? undefined : z.safeParse(schema, JSON.parse(text)).data
      } catch {
        return undefined
      }
    },
    /** Returns whether storage took it. */
    write(value: z.input<Schema>): boolean {
      const text = JSON.stringify(value)
      unstored.delete(key)
      try {
        storage().setItem(key, text)
        return true
      } catch {
        this.remove()
        unstored.set(key, text)
        return false
      }
    },
    remove(): void {
      unstored.delete(key)
      try {
        storage().removeItem(key)
      } catch {
        // Storage is forbidden, so there is nothing to remove.
      }
    },
  }
}
