import { expect, test } from 'vitest'
import type { ThreadCell } from '../../../contract/thread-shape'
import { buildGrid, countFrom, findOutliers } from './build-grid'

function cell(fromTurns: number, fromMs: number, count: number, ...ids: string[]): ThreadCell {
  return {
    from_turns: fromTurns,
    to_turns: fromTurns * 2,
    from_ms: fromMs,
    to_ms: fromMs === 0 ? 1 : fromMs * 2,
    thread_count: count,
    threads: ids.map((thread_id) => ({ thread_id, turn_count: fromTurns, p99_turn_duration_ms: fromMs })),
  }
}

test('cells stand on logarithmic axes, darker where more threads are', () => {
  const grid = buildGrid([cell(1, 100, 100), cell(4, 100, 10), cell(4, 400, 1, 'slow')])
  expect(grid?.columns).toEqual([
    { value: 1, from: 0, to: expect.closeTo(1 / 3) },
    { value: 4, from: expect.closeTo(2 / 3), to: 1 },
  ])
  expect(grid?.rows.map(({ value }) => value)).toEqual([100, 400])
  expect(grid?.cells).toEqual([
    { column: 0, row: 0, size: 1, isFew: false },
    { column: 1, row: 0, size: 0.5, isFew: false },
    { column: 1, row: 1, size: 0, isFew: true },
  ])
  expect(grid?.rowTicks).toEqual([100, 200, 500])
})

test('threads faster than a millisecond have a place, and no threads have none', () => {
  expect(buildGrid([cell(1, 0, 5), cell(1, 100, 1)])?.rows[0]).toMatchObject({ value: 0, from: 0 })
  expect(buildGrid([])).toBeUndefined()
})

test('a place stands for all threads right of it and above', () => {
  const cells = [cell(1, 100, 100), cell(4, 100, 10), cell(4, 400, 1)]
  expect([countFrom(cells, 1, 0), countFrom(cells, 4, 100), countFrom(cells, 1, 400)]).toEqual([111, 11, 1])
})

test('outliers are the slowest threads and the longest one, far from the crowd', () => {
  const crowd = [cell(1, 100, 500), cell(2, 100, 300)]
  // Beside the crowd: no outlier, although it is named.
  const near = cell(1, 200, 2, 'near-1', 'near-2')
  const alone = [cell(1, 6400, 1, 'slow-1'), cell(8, 3200, 1, 'slow-2'), cell(1, 1600, 1, 'slow-3'), cell(1, 800, 1, 'slow-4')]
  const long = cell(64, 100, 1, 'long')
  expect(findOutliers([...crowd, near, ...alone, long]).map(({ thread_id }) => thread_id)).toEqual([
    'slow-1',
    'slow-2',
    'slow-3',
    'long',
  ])
})

test('few threads have no outliers', () => {
  const few = [cell(1, 100, 1, 'fast'), cell(2, 3200, 1, 'slow'), cell(64, 800, 1, 'long')]
  expect([findOutliers(few.slice(0, 1)), findOutliers(few)]).toEqual([[], []])
  expect(findOutliers([...few, cell(1, 400, 16)])).toEqual([])
  expect(findOutliers([...few, cell(1, 400, 17)]).map(({ thread_id }) => thread_id)).toEqual(['slow', 'long'])
})

test('a thread that stands alone is no outlier where threads in company are slower, or have more turns', () => {
  const crowd = [cell(1, 100, 50), cell(32, 6400, 50)]
  expect(findOutliers([...crowd, cell(4, 10, 1, 'fastest'), cell(4, 800, 1, 'between')])).toEqual([])
  expect(findOutliers([...crowd, cell(4, 25_600, 1, 'slowest')])).toMatchObject([{ thread_id: 'slowest' }])
})
