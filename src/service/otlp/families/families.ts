import type { Attributes } from '../span'
import type { Family, TokenCount } from './family'
import { genAi } from './gen-ai'
import { genAiLegacy } from './gen-ai-legacy'
import { openInference } from './open-inference'
import { openLlmetry } from './open-llmetry'

/** Another convention is one more file and one more entry; the earlier rules over the later. */
export const families: readonly Family[] = [genAi, genAiLegacy, openInference, openLlmetry]

/** The first text that any family knows under this heading. */
export function textOf(attributes: Attributes, heading: 'model' | 'provider' | 'operation' | 'kind'): string | undefined {
  for (const key of families.flatMap((family) => family[heading] ?? [])) {
    const value = attributes.get(key)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The first count that any family knows; what is no whole number from 0 is unknown. */
export function tokensOf(attributes: Attributes, count: TokenCount): number | undefined {
  for (const key of families.flatMap((family) => family.tokens?.[count] ?? [])) {
    const value = attributes.get(key)
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  }
  return undefined
}
