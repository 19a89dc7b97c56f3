import type { Attributes } from '../span'
import type { Family, Payload, TokenCount } from './family'
import { genAi } from './gen-ai'
import { genAiLegacy } from './gen-ai-legacy'
import { openInference } from './open-inference'
import { openLlmetry } from './open-llmetry'

/** Another convention is one more file and one more entry; the earlier rules over the later. */
const families: readonly Family[] = [genAi, genAiLegacy, openInference, openLlmetry]

const textKeys = {
  model: families.flatMap((family) => family.model ?? []),
  provider: families.flatMap((family) => family.provider ?? []),
  operation: families.flatMap((family) => family.operation ?? []),
  kind: families.flatMap((family) => family.kind ?? []),
}

/** What a span may have taken in and given out, in the order in which it is looked for. */
export const payloads: Readonly<Record<'inputs' | 'output', readonly Payload[]>> = {
  inputs: families.flatMap((family) => family.inputs ?? []),
  output: families.flatMap((family) => family.output ?? []),
}

const keysOf = (count: TokenCount) => families.flatMap((family) => family.tokens?.[count] ?? [])
const tokenKeys: Readonly<Record<TokenCount, readonly string[]>> = {
  input_tokens: keysOf('input_tokens'),
  output_tokens: keysOf('output_tokens'),
  total_tokens: keysOf('total_tokens'),
  cache_read_input_tokens: keysOf('cache_read_input_tokens'),
  cache_creation_input_tokens: keysOf('cache_creation_input_tokens'),
  reasoning_tokens: keysOf('reasoning_tokens'),
}

/** The first text that any family knows under this heading. */
export function textOf(attributes: Attributes, heading: keyof typeof textKeys): string | undefined {
  for (const key of textKeys[heading]) {
    const value = attributes.get(key)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The first count that any family knows; what is no whole number from 0 is unknown. */
export function tokensOf(attributes: Attributes, count: TokenCount): number | undefined {
  for (const key of tokenKeys[count]) {
    const value = attributes.get(key)
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  }
  return undefined
}
