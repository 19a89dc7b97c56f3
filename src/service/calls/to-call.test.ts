import { expect, test, vi } from 'vitest'
import { toSelection } from './call-rows'
import { asSent } from './testing/as-sent'
import { toCall } from './to-call'

const base = {
  id: 'a',
  project_id: 'p/q',
  op_name: 'answer',
  trace_id: 't',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:00.001000Z',
}
const calculated = { status: 'success', latency_ms: 1, trace_name: 'answer' } as const

function toCallWith(summary: unknown) {
  const row = { ...base, summary: JSON.stringify(summary) }
  return toCall(row, toSelection(undefined, true, false), undefined)
}

test('a call has the summary that was sent, and under weave what the service adds', () => {
  const call = asSent(toCallWith({ own: 1, weave: { more: 2, costs: {}, status: 'mine' } }))
  expect(call.summary).toEqual({ own: 1, weave: { more: 2, ...calculated } })
})

test('a span has the turn and the failure below it that its trace says', () => {
  const place = { turnId: 'turn', isAboveFailure: true }
  const shown = (more: object) => toCall({ ...base, ...more }, toSelection(undefined, false, false), place)
  expect(shown({})).toMatchObject({ turn_id: 'turn', summary: { weave: { status: 'descendant_error' } } })
  expect(shown({ ended_at: null }).summary?.weave.status).toBe('running')
  expect(shown({ exception: 'It broke' }).summary?.weave.status).toBe('error')
})

test('the latency of a call counts microseconds, and is 0 where it ended before it began', () => {
  const latency = (ended_at: string) =>
    toCall({ ...base, ended_at }, toSelection(undefined, false, false), undefined).summary?.weave.latency_ms
  expect(latency('2026-01-01T00:00:01.500001Z')).toBe(1500.001)
  expect(latency('2025-12-31T23:59:59Z')).toBe(0)
  expect(latency('2298-12-31T23:59:59.999999Z')).toBe(Date.UTC(2299, 0) - Date.UTC(2026, 0) - 0.001)
})

test.each([
  [{ error: 2 }, 'descendant_error'],
  [{ error: '2' }, 'success'],
  [{ success: 1 }, 'success'],
  [[2], 'success'],
])('the errors that a long summary counts are read without parsing it: %j is %s', (status_counts, status) => {
  const call = toCallWith({ more: 'x'.repeat(100_000), status_counts })
  expect(call.summary?.weave.status).toBe(status)
})

test('of a long summary only the usage is parsed, and all of it is returned', () => {
  const usage = { model: { requests: 1 } }
  const sent = { list: Array.from({ length: 50_000 }, () => ({})), usage, weave: { more: [1], costs: {} } }
  const parse = vi.spyOn(JSON, 'parse')
  const call = toCallWith(sent)
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length))
  parse.mockRestore()
  expect(longest).toBeLessThan(100)
  expect(call.summary).toMatchObject({ usage })
  expect(asSent(call).summary).toEqual({ ...sent, weave: { more: [1], ...calculated } })
})
