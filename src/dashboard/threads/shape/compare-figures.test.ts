import { expect, test } from 'vitest'
import { compareFigures, formatChange } from './compare-figures'

const turns = (count: number, p50: number | null, p99: number | null, errors = 0) => ({
  turn_count: count,
  finished_turn_count: count,
  thread_count: 3,
  p50_turn_duration_ms: p50,
  p99_turn_duration_ms: p99,
  error_count: errors,
})

test('two windows are compared figure by figure', () => {
  expect(compareFigures(turns(100, 1000, 5000, 1), turns(50, 1500, 4900, 2), false)).toEqual([
    { name: 'p50', before: '1.00 s', after: '1.50 s', change: '+50.0 %', verdict: 'slower' },
    { name: 'p99', before: '5.00 s', after: '4.90 s', change: '−2.0 %' },
    { name: 'Turns', before: '100', after: '50', change: '' },
    { name: 'Threads', before: '3', after: '3', change: '' },
    { name: 'Errors', before: '1', after: '2', change: '' },
    { name: 'Errors per 100 turns', before: '1.0', after: '4.0', change: '+300 %' },
  ])
})

test('few turns are no reason for a verdict, and none are unknown', () => {
  expect(compareFigures(turns(9, 1000, 1000), turns(50, 2000, 2000), true)[0]).toEqual({
    name: 'p50',
    before: '1.00 s',
    after: '2.00 s',
    change: '+100 %',
  })
  const none = compareFigures(turns(0, null, null), turns(50, 2000, 2000), true)
  expect(none[0]).toEqual({ name: 'p50', before: '—', after: '2.00 s', change: '' })
  expect(none.at(-1)).toMatchObject({ before: '—', change: '' })
})

test.each([
  [200, 100, '−50.0 %'],
  [100, 100, '±0.0 %'],
  [1, 1235.6, '+123,460 %'],
  [0, 5, ''],
])('from %d to %d is %j', (before, after, text) => {
  expect(formatChange(before, after)).toBe(text)
})
