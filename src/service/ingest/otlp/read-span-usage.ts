import { readText, readTokens } from './conventions/conventions'
import type { Attributes } from './message'

/** Weave's clients call a model without a name 'usage'. */
const unnamedModel = 'usage'

/** `summary.usage` as Weave's clients send it; undefined for a span without token counts. */
export function readSpanUsage(attributes: Attributes): Record<string, Record<string, number>> | undefined {
  const tokens = readTokens(attributes)
  if (Object.keys(tokens).length === 0) return undefined
  // A computed key makes an own property even of the name '__proto__'.
  return { [readText(attributes, 'model') ?? unnamedModel]: { requests: 1, ...tokens } }
}
