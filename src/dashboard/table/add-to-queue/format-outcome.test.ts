import { expect, test } from 'vitest'
import { formatOutcome } from './format-outcome'

test('the outcome says what became of each call', () => {
  expect(formatOutcome({ addedCount: 187, duplicateCount: 12, unknownIds: ['x'] })).toBe(
    '187 added, 12 were in the queue already, 1 is not a call of this project.',
  )
})

test('what did not happen is left out', () => {
  expect(formatOutcome({ addedCount: 12_000, duplicateCount: 0, unknownIds: [] })).toBe('12,000 added.')
  expect(formatOutcome({ addedCount: 0, duplicateCount: 1, unknownIds: ['x', 'y'] })).toBe(
    '0 added, 1 was in the queue already, 2 are not calls of this project.',
  )
})
