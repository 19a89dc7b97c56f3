import { describe, expect, test } from 'vitest'
import type { CallHeading } from '../../contract/call-headings'
import { receivedSince } from './received-calls'

const call = (id: string): CallHeading => ({ id, op_name: 'answer', thread_id: null, started_at: '2026-11-21T10:00:00Z' })
const a = call('a')
const b = call('b')

test('a new root call counts as received', () => {
  expect(receivedSince({ count: 7, newest: a }, { count: 8, newest: b })).toEqual({
    kind: 'some',
    call: b,
    newCount: 1,
    count: 8,
  })
})

describe('calls received since the page was opened', () => {
  test.each([
    {
      what: 'none in an empty project',
      before: { count: 0, newest: undefined },
      now: { count: 0, newest: undefined },
      outcome: { kind: 'none', last: undefined, count: 0 },
    },
    {
      what: 'none besides the existing calls',
      before: { count: 7, newest: a },
      now: { count: 7, newest: a },
      outcome: { kind: 'none', last: a, count: 7 },
    },
    {
      what: 'the first call',
      before: { count: 0, newest: undefined },
      now: { count: 1, newest: a },
      outcome: { kind: 'some', call: a, newCount: 1, count: 1 },
    },
    {
      what: 'a later call with a nested call',
      before: { count: 7, newest: a },
      now: { count: 9, newest: b },
      outcome: { kind: 'some', call: b, newCount: 2, count: 9 },
    },
    {
      what: 'a call that started before the newest',
      before: { count: 7, newest: a },
      now: { count: 8, newest: a },
      outcome: { kind: 'some', call: undefined, newCount: 1, count: 8 },
    },
    {
      what: 'a new call that the total does not include yet',
      before: { count: 7, newest: a },
      now: { count: 7, newest: b },
      outcome: { kind: 'some', call: b, newCount: 1, count: 7 },
    },
  ])('$what', ({ before, now, outcome }) => {
    expect(receivedSince(before, now)).toEqual(outcome)
  })
})
