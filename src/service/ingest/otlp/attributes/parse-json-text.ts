import { measureJson } from '../../../lib/scan-json'
import type { Json } from './attributes'

const maxTextDepth = 100
const maxTextValues = 100_000

/** How many objects, lists and fields the texts of one span may hold in all, as `ValueBudget` has it for its attributes. */
export type JsonTextBudget = { remainingValues: number }

export function createJsonTextBudget(): JsonTextBudget {
  return { remainingValues: maxTextValues }
}

const hasLargeExponent = /\d[eE]\+?\d{3}/

/** The object or list that a text holds. Any other text stays text, and so does one that parsing would change or that holds too much. */
export function parseJsonText(text: string, budget: JsonTextBudget = createJsonTextBudget()): Json {
  // Parsing would round a whole number of more than 15 digits.
  if (!/^\s*[[{]/.test(text) || /[[:,]\s*-?\d{16}/.test(text)) return text
  const { depth, values } = measureJson(text, maxTextDepth, budget.remainingValues)
  if (depth > maxTextDepth || values > budget.remainingValues) return text
  budget.remainingValues -= values
  try {
    const parsed: Json = JSON.parse(text)
    // 1e400 would become null.
    return hasLargeExponent.test(text) && !isFinite(parsed) ? text : parsed
  } catch {
    // Text that only begins like JSON.
    return text
  }
}

/** Whether all numbers in a value are finite. */
function isFinite(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every((each: Json) => isFinite(each))
}
