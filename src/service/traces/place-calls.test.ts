import { expect, test } from 'vitest'
import { TimeSlices } from '../lib/time-slices'
import { type PlaceableCall, placeCalls } from './place-calls'

const call = (id: string, parent_id: string | null, more: Partial<PlaceableCall> = {}): PlaceableCall => ({
  id,
  parent_id,
  thread_id: null,
  turn_id: null,
  user_id: null,
  is_conversation: false,
  started_at: `start of ${id}`,
  ...more,
})
const turn = (id: string, parentId: string | null, threadId: string): PlaceableCall =>
  call(id, parentId, { thread_id: threadId, turn_id: id })

async function place(...trace: PlaceableCall[]) {
  const places = await placeCalls(trace, new TimeSlices())
  return Object.fromEntries([...places].map(([id, { threadId, turnStartedAt }]) => [id, `${threadId} at ${turnStartedAt}`]))
}

test('calls below a turn belong to its thread and to that turn, whatever the order', async () => {
  const trace = [call('model', 'tool'), call('tool', 'turn'), turn('turn', null, 't')]
  const expected = { turn: 't at start of turn', tool: 't at start of turn', model: 't at start of turn' }
  expect(await place(...trace)).toEqual(expected)
  expect(await place(...trace.toReversed())).toEqual(expected)
})

test('the nearest turn of the thread counts; a call of another thread is not of the turn above it', async () => {
  const trace = [
    turn('outer', null, 't'),
    turn('inner', 'outer', 't'),
    call('deep', 'inner'),
    call('apart', 'deep', { thread_id: 'u' }),
    call('below', 'apart'),
  ]
  expect(await place(...trace)).toEqual({
    outer: 't at start of outer',
    inner: 't at start of inner',
    deep: 't at start of inner',
    apart: 'u at start of apart',
    below: 'u at start of apart',
  })
})

test('the turn of a call is its own one or the one it is below, and none where no turn of its thread is above', async () => {
  const trace = [
    turn('outer', null, 't'),
    turn('inner', 'outer', 't'),
    call('deep', 'inner'),
    call('apart', 'deep', { thread_id: 'u' }),
    call('alone', null),
  ]
  const places = await placeCalls(trace, new TimeSlices())
  expect([...places].map(([id, { turnId }]) => [id, turnId])).toEqual([
    ['outer', 'outer'],
    ['inner', 'inner'],
    ['deep', 'inner'],
    ['apart', null],
    ['alone', null],
  ])
})

test('the topmost span of a conversation is its turn, unless it names another one', async () => {
  const span = (id: string, parentId: string | null, more = {}) =>
    call(id, parentId, { thread_id: 't', is_conversation: true, ...more })
  expect(await place(call('request', null), span('top', 'request'), span('step', 'top'), call('model', 'step'))).toEqual({
    request: 'null at start of request',
    top: 't at start of top',
    step: 't at start of top',
    model: 't at start of top',
  })
  expect(await place(turn('turn', null, 't'), call('plain', 'turn'), span('again', 'plain'))).toMatchObject({
    plain: 't at start of turn',
    again: 't at start of again',
  })
  expect(await place(turn('turn', null, 't'), call('plain', 'turn'), span('other', 'plain', { turn_id: 'turn' }))).toMatchObject({
    other: 't at start of turn',
  })
})

test('the user is that of the nearest call that names one, and circles of parents come to an end', async () => {
  const trace = [call('a', 'b', { user_id: 'kim' }), call('b', 'a'), call('c', 'a'), call('d', 'c', { user_id: 'jo' })]
  const users = [...(await placeCalls(trace, new TimeSlices()))].map(([id, { userId }]) => [id, userId])
  expect(Object.fromEntries(users)).toEqual({ a: 'kim', b: null, c: 'kim', d: 'jo' })
})
