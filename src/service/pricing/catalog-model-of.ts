import { calcPrice } from '@pydantic/genai-prices'

/** No model is called by a longer name, and every name is tried against many patterns. */
const longestName = 200

/** The catalog's id of a model that is named by a version of it: `gpt-4o` of `gpt-4o-2024-08-06`; undefined where it knows none. */
export function catalogModelOf(name: string): string | undefined {
  if (name.length > longestName) return undefined
  const id = calcPrice({}, name)?.model.id
  return id === name ? undefined : id
}
