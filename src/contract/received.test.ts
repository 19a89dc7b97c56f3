import { expect, test } from 'vitest'
import { ReceivedCost } from './received-costs'
import { ReceivedThread } from './received-threads'

test('a thread with only the required fields is read; what is missing is unknown', () => {
  const required = {
    thread_id: 'support-1',
    turn_count: 3,
    start_time: '2026-01-01T10:00:00Z',
    last_updated: '2026-01-01T11:00:00+01:00',
    p50_turn_duration_ms: 120.5,
    p99_turn_duration_ms: 300,
  }
  expect(ReceivedThread.parse(required)).toEqual({
    ...required,
    last_updated: '2026-01-01T10:00:00Z',
    first_turn_id: null,
    last_turn_id: null,
  })
})

test('numbers may be text, and a negative duration is unknown', () => {
  expect(
    ReceivedThread.parse({ thread_id: 7, turn_count: '12', p50_turn_duration_ms: -1, p99_turn_duration_ms: '1e3' }),
  ).toMatchObject({ thread_id: '7', turn_count: 12, p50_turn_duration_ms: null, p99_turn_duration_ms: 1000 })
  expect(ReceivedCost.parse({ prompt_token_cost: '0.00000015' }).prompt_token_cost).toBe(1.5e-7)
})

test.each([
  [1_700_000_000, '2023-11-14T22:13:20Z'],
  [1_700_000_000.25, '2023-11-14T22:13:20.250000Z'],
  [1_700_000_000_000, '2023-11-14T22:13:20Z'],
  [1_700_000_000_000_000, '2023-11-14T22:13:20Z'],
  [1_700_000_000_000_000_000, '2023-11-14T22:13:20Z'],
  ['1700000000', '2023-11-14T22:13:20Z'],
  ['2026-01-01', '2026-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ['Tue, 14 Nov 2023 22:13:20 GMT', '2023-11-14T22:13:20Z'],
])('the time %s is %s', (sent, instant) => {
  expect(ReceivedCost.parse({ effective_date: sent }).effective_date).toBe(instant)
})

test.each([
  [{ thread_id: null }, 'A thread needs an id.'],
  [{ thread_id: 'a', turn_count: 'many' }, "Unreadable number 'many'."],
  [{ thread_id: 'a', start_time: 'yesterday' }, "Unreadable time 'yesterday'."],
  [{ thread_id: 'a', start_time: 1e30 }, 'Unreadable time 1e+30.'],
  [{ thread_id: 'a', last_turn_id: {} }, 'Expected a string, not an object.'],
])('%o cannot be read: %s', (thread, message) => {
  expect(ReceivedThread.safeParse(thread).error?.issues.map((issue) => issue.message)).toEqual([message])
})
