import { InvalidOtlpError } from './invalid-otlp-error'

const maxDepth = 64
const maxValues = 100_000

/**
 * Limits what one span, resource or scope may hold: attributes, events, links and the values within values. An empty one
 * takes two bytes, so a body of nothing else would fill the memory; and nested values are decoded by recursion.
 */
export class ValueBudget {
  private remaining = maxValues

  /** Takes one value `depth` levels down. Throws an `InvalidOtlpError`. */
  take(depth: number): void {
    this.remaining -= 1
    if (this.remaining < 0) {
      throw new InvalidOtlpError(`A span may hold ${maxValues} attributes, events, links and values in all.`)
    }
    if (depth > maxDepth) throw new InvalidOtlpError(`The values of attributes may be nested ${maxDepth} levels deep.`)
  }
}
