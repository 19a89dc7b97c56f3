import { expect, test, vi } from 'vitest'
import { toSelection } from './call-rows'
import { asSent } from './testing/as-sent'
import { toCall } from './to-call'

const base = { id: 'a', project_id: 'p/q', op_name: 'answer', trace_id: 't', started_at: '2026-01-01T00:00:00Z' }
const calculated = { status: 'success', latency_ms: 1, trace_name: 'answer' } as const

function toCallWith(summary: unknown) {
  const row = { ...base, ...calculated, summary: JSON.stringify(summary) }
  return toCall(row, toSelection(undefined, true, false), undefined)
}

test('a call has the summary that was sent, and under weave what the service adds', () => {
  const call = asSent(toCallWith({ own: 1, weave: { more: 2, costs: {}, status: 'mine' } }))
  expect(call.summary).toEqual({ own: 1, weave: { more: 2, ...calculated } })
})

test('a span has the turn and the failure below it that its trace says', () => {
  const place = { turnId: 'turn', isAboveFailure: true }
  const shown = (more: object) => toCall({ ...base, ...calculated, ...more }, toSelection(undefined, false, false), place)
  expect(shown({})).toMatchObject({ turn_id: 'turn', summary: { weave: { status: 'descendant_error' } } })
  expect(shown({ status: 'running' }).summary?.weave.status).toBe('running')
  expect(shown({ status: 'error' }).summary?.weave.status).toBe('error')
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
