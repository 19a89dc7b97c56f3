import { textOf, tokensOf } from './conventions/families'
import type { TokenCount } from './conventions/family'
import type { Attributes } from './span'

/** What Weave's clients call a model that no attribute names. */
const unnamedModel = 'usage'

const counts: readonly TokenCount[] = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
]

/** `summary.usage` as Weave's clients send it; undefined for a span that counts no tokens. */
export function readSpanUsage(attributes: Attributes): Record<string, Record<string, number>> | undefined {
  const known = counts.flatMap((count) => {
    const tokens = tokensOf(attributes, count)
    return tokens === undefined ? [] : [[count, tokens] as const]
  })
  if (known.length === 0) return undefined
  // A computed key is a property of its own even where a model is called '__proto__'.
  return { [textOf(attributes, 'model') ?? unnamedModel]: { requests: 1, ...Object.fromEntries(known) } }
}
