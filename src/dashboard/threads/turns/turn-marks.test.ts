import { expect, test } from 'vitest'
import type { ThreadTurn } from './thread-turn'
import { findMarks, groupMarks } from './turn-marks'

const turn = (startMs: number, durationMs: number | null): ThreadTurn => ({
  id: `turn-${startMs}`,
  traceId: null,
  name: null,
  firstWords: null,
  startedAt: new Date(startMs).toISOString(),
  startMs,
  endMs: durationMs === null ? null : startMs + durationMs,
  durationMs,
  status: null,
  failure: null,
  models: [],
  tokens: null,
  costs: null,
  unpricedCallCount: 0,
  callCount: null,
})

test('the turns that are the p50 and the p99 are marked, both neighbours where it lies between two', () => {
  const marks = findMarks([turn(0, 10), turn(1000, 500), turn(2000, null), turn(3000, 20)], undefined)
  expect(marks).toEqual([
    { name: 'p50', durationMs: 20, indexes: [3] },
    { name: 'p99', durationMs: 490.4, indexes: [3, 1] },
  ])
  expect([...groupMarks(marks)]).toEqual([
    [3, ['p50', 'p99']],
    [1, ['p99']],
  ])
})

test('where the list counts the turns of a time range, so do the marks; its bounds are exclusive', () => {
  const window = { after_datetime: '1970-01-01T00:00:00Z', before_datetime: '1970-01-01T00:00:03Z' }
  const marks = findMarks([turn(0, 10), turn(1000, 500), turn(3000, 20)], window)
  expect(marks.map(({ indexes }) => indexes)).toEqual([[1], [1]])
  expect(findMarks([], undefined)).toEqual([])
})
