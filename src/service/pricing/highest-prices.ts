import { toNumber } from '../../contract/decimal'
import type { PriceRecord } from './price-record'
import { type Rate, type Rates, type TokenKind, tokenKinds } from './token-rates'

/** The most that a token costs that is read from a cache, is other input or is output; and what a request costs. */
export type HighestPrices = Readonly<Record<'cacheRead' | 'input' | 'output' | 'requests', number>>

export function toHighestPrices({ byKind, perRequest }: Rates, record: PriceRecord, currency: string): HighestPrices {
  const isOfInput = record.prompt_token_cost_unit === currency
  const isOfOutput = record.completion_token_cost_unit === currency
  const highestOf = (property: 'in' | 'out') =>
    Math.max(0, ...[...byKind].map(([kind, rate]) => (hasProperty(kind, property) ? highestRate(rate) : 0)))
  // Without a price of their own they are charged as input.
  const cacheRead = byKind.get('cacheRead') ?? byKind.get('input')
  return {
    cacheRead: isOfInput && cacheRead ? highestRate(cacheRead) : 0,
    input: isOfInput ? highestOf('in') : 0,
    output: isOfOutput ? highestOf('out') : 0,
    requests: isOfInput && perRequest ? toNumber(perRequest) : 0,
  }
}

export function maxPrices(left: HighestPrices, right: HighestPrices): HighestPrices {
  return {
    cacheRead: Math.max(left.cacheRead, right.cacheRead),
    input: Math.max(left.input, right.input),
    output: Math.max(left.output, right.output),
    requests: Math.max(left.requests, right.requests),
  }
}

function hasProperty(kind: TokenKind, property: 'in' | 'out'): boolean {
  const properties: readonly string[] = tokenKinds[kind].properties
  return properties.includes(property)
}

function highestRate({ base, steps }: Rate): number {
  return Math.max(toNumber(base), ...steps.map(({ rate }) => toNumber(rate)))
}
