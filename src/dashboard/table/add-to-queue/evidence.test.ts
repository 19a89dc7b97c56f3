import { expect, test } from 'vitest'
import { suggestQueue, toFilter, type TurnSelection } from './evidence'

const selection: TurnSelection = {
  scope: 'matching',
  turns: 'all',
  isSample: true,
  size: 30,
  seed: '42',
  stratifyBy: 'none',
}
const threads = (filter: object, selectedIds: string[] = []) => ({ kind: 'threads' as const, filter, selectedIds })

test('a queue is named after the filter, the sample and its seed', () => {
  expect(suggestQueue(threads({ min_p99_ms: 10_000 }), selection)).toEqual({
    name: 'Threads slower than 10.00 s, 30 sampled, seed 42',
    description: '',
  })
})

test.each([
  [threads({ has_errors: true, models: ['gpt-4o'] }), { isSample: false }, 'Threads with errors, of gpt-4o', ''],
  [threads({ after_datetime: '2026-01-31T09:30:00.5Z' }), { isSample: false }, 'Threads after 2026-01-31 09:30 UTC', ''],
  [threads({}, ['a', 'b']), { scope: 'selected' as const, isSample: false }, '2 chosen threads', ''],
  [
    threads({}),
    { turns: 'slowest' as const, stratifyBy: 'model' as const },
    'Threads, 30 sampled, seed 42',
    'The slowest turn of each thread. The same number of each model',
  ],
  [{ kind: 'calls' as const, ids: ['a', 'b', 'c'] }, {}, '3 chosen calls', ''],
])('%j with %j is named %j', (evidence, change, name, description) => {
  expect(suggestQueue(evidence, { ...selection, ...change })).toEqual({ name, description })
})

test('a very long filter does not make a name that no queue may have', () => {
  expect(suggestQueue(threads({ text: 'x'.repeat(1000) }), selection).name).toHaveLength(200)
})

test('selected threads keep the window of the list, and no other filter', () => {
  const evidence = threads({ after_datetime: '2026-01-01T00:00:00Z', min_p99_ms: 5 }, ['a'])
  expect(toFilter(evidence, { ...selection, scope: 'selected' })).toEqual({
    after_datetime: '2026-01-01T00:00:00Z',
    thread_ids: ['a'],
  })
  expect(toFilter(evidence, selection)).toEqual({ after_datetime: '2026-01-01T00:00:00Z', min_p99_ms: 5 })
})
