import * as z from 'zod/mini'
import { refineAs } from './schema'

// Apart from schema.ts, which the first script of the dashboard holds.

/** Numbers beyond 1.8e308 are read as infinite, and JSON has no such number: they would be stored as null. */
function hasOnlyFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return (Array.isArray(value) ? value : Object.values(value)).every(hasOnlyFiniteNumbers)
}

export const storedAsSent = refineAs<unknown>(
  'finite_number',
  hasOnlyFiniteNumbers,
  'Holds a number out of range: at most 1.7976931348623157e308.',
)

/**
 * Any JSON that is stored as it was sent. Whole numbers beyond 2^53 lose digits, as in JavaScript: `JSON.parse` of Node 20
 * does not give their text. Clients send such ids as text.
 */
export const StoredJson = z.unknown().check(storedAsSent)
