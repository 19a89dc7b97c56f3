/** Stands in an issue for the word that `countProblem` finds. */
export const countWord = 'count'

/** What is wrong with a value that must be a whole number from 0; the words are the original's. */
export function countProblem(value: unknown): { type: string; message: string } {
  const expected = 'Must be a whole number, 0 or greater'
  if (typeof value === 'string') return { type: 'int_parsing', message: `${expected}, without quotes.` }
  if (typeof value !== 'number') return { type: 'int_type', message: `${expected}.` }
  if (!Number.isInteger(value)) return { type: 'int_from_float', message: `${expected}, not ${value}.` }
  return value < 0
    ? { type: 'greater_than_equal', message: `${expected}, not ${value}.` }
    : { type: 'less_than_equal', message: `${expected}, at most ${Number.MAX_SAFE_INTEGER}.` }
}
