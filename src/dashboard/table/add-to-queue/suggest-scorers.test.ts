import { expect, test } from 'vitest'
import { suggestScorers } from './suggest-scorers'

test('the scorers that most of the latest queues use come first', () => {
  const queues = [{ scorer_refs: ['new', 'tone', 'tone'] }, { scorer_refs: ['tone'] }, { scorer_refs: [] }]
  expect(suggestScorers(queues)).toEqual([
    { ref: 'tone', queueCount: 2 },
    { ref: 'new', queueCount: 1 },
  ])
})

test('at most eight are suggested', () => {
  expect(suggestScorers([{ scorer_refs: Array.from({ length: 20 }, (_, index) => String(index)) }])).toHaveLength(8)
})
