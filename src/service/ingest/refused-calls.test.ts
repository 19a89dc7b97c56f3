import { expect, test } from 'vitest'
import { RefusedCalls } from './refused-calls'

test('all refused items are counted, and the last hundred are kept, the latest first', () => {
  let now = 0
  const refused = new RefusedCalls(() => (now += 1))
  for (let index = 0; index < 250; index += 1) refused.add('maja', { loc: [String(index)], msg: 'no', type: 'value_error' })
  expect(refused.count).toBe(250)
  expect(refused.latest).toHaveLength(100)
  expect(refused.latest[0]).toEqual({ atMs: 250, username: 'maja', problem: { loc: ['249'], msg: 'no', type: 'value_error' } })
  expect(refused.latest.at(-1)?.problem.loc).toEqual(['150'])
})
