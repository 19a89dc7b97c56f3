import { expect, test } from 'vitest'
import type { TreeCall } from '../../../contract/call-tree'
import { compareCalls } from './compare-calls'

const call = (name: string, selfMs: number | null): TreeCall => ({
  id: `${name} ${selfMs}`,
  parent_id: null,
  op_name: name,
  name,
  kind: null,
  started_at: '2026-01-01T00:00:00Z',
  ended_at: null,
  status: 'success',
  self_ms: selfMs,
  model: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  costs: [],
  child_count: 0,
})

test('calls of two turns are compared by their names, the largest difference first', () => {
  const left = [call('answer', 12), call('search', 900)]
  const right = [call('answer', 10), call('search', 100), call('search', 50), call('cache', 5)]
  expect(compareCalls(left, right)).toEqual([
    { name: 'search', left: { count: 1, selfMs: 900 }, right: { count: 2, selfMs: 150 }, differenceMs: 750 },
    { name: 'cache', left: { count: 0, selfMs: 0 }, right: { count: 1, selfMs: 5 }, differenceMs: -5 },
    { name: 'answer', left: { count: 1, selfMs: 12 }, right: { count: 1, selfMs: 10 }, differenceMs: 2 },
  ])
})

test('how long a call that runs has taken is unknown, and comes last', () => {
  const [first, second] = compareCalls([call('model', null), call('answer', 1)], [call('model', 5), call('answer', 1)])
  expect(first?.name).toBe('answer')
  expect(second).toMatchObject({ name: 'model', left: { selfMs: null }, differenceMs: null })
})
