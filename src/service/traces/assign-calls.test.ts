import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { TimeSlices } from '../lib/time-slices'
import { type AssignableCall, assignCalls } from './assign-calls'

const call = (id: string, parentId: string | null, more: Partial<AssignableCall> = {}): AssignableCall => ({
  id,
  parent_id: parentId,
  turn_id: null,
  is_turn: false,
  has_failed: false,
  ...more,
})

test('a call belongs to the nearest turn above it', async () => {
  const trace = [
    call('turn', null, { is_turn: true }),
    call('tool', 'turn'),
    call('inner turn', 'tool', { is_turn: true }),
    call('model', 'inner turn', { has_failed: true }),
    call('beside', null),
  ]
  const { turnIdByCall, aboveFailure } = await assignCalls(trace, new TimeSlices())
  expect([...turnIdByCall]).toEqual([
    ['turn', 'turn'],
    ['tool', 'turn'],
    ['inner turn', 'inner turn'],
    ['model', 'inner turn'],
  ])
  expect(aboveFailure).toEqual(new Set(['inner turn', 'tool', 'turn']))
})

test('where calls between have not arrived, a call and those below it belong to the turn that it names', async () => {
  const trace = [
    call('turn', null, { is_turn: true }),
    call('orphan', 'missing', { turn_id: 'turn' }),
    call('below', 'orphan'),
    call('stranger', 'missing', { turn_id: 'of another trace' }),
  ]
  const { turnIdByCall } = await assignCalls(trace, new TimeSlices())
  expect(turnIdByCall.get('below')).toBe('turn')
  expect(turnIdByCall.has('stranger')).toBe(false)
})

test('calls in a circle of parents belong to the turn in it, or to the turn that they name', async () => {
  const withTurn = [call('a', 'b'), call('b', 'c', { is_turn: true }), call('c', 'a', { has_failed: true }), call('d', 'c')]
  const { turnIdByCall, aboveFailure } = await assignCalls(withTurn, new TimeSlices())
  expect(Object.fromEntries(turnIdByCall)).toEqual({ a: 'b', b: 'b', c: 'b', d: 'b' })
  expect(aboveFailure).toEqual(new Set(['a', 'b']))
  const beside = [call('turn', null, { is_turn: true }), call('x', 'y', { turn_id: 'turn' }), call('y', 'x'), call('z', 'x')]
  expect(Object.fromEntries((await assignCalls(beside, new TimeSlices())).turnIdByCall)).toEqual({
    turn: 'turn',
    x: 'turn',
    z: 'turn',
  })
})

const traces = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(9)),
      turn: fc.option(fc.nat(9)),
      is_turn: fc.boolean(),
      has_failed: fc.boolean(),
    }),
    { maxLength: 10 },
  )
  .map((all) =>
    all.map(({ parent, turn, ...rest }, index) =>
      // Parents come before their children, so there is no circle.
      call(String(index), parent === null ? null : String(parent < index ? parent : 99), {
        ...rest,
        turn_id: turn === null ? null : String(turn),
      }),
    ),
  )

testProperty('the assignment is what a walk from each call upwards finds', traces, { runs: 300 }, async (trace) => {
  const byId = new Map(trace.map((each) => [each.id, each]))
  const pathOf = (id: string): AssignableCall[] => {
    const own = byId.get(id)
    return own ? [own, ...pathOf(own.parent_id ?? '')] : []
  }
  const isTurn = (id: string | null) => id !== null && byId.get(id)?.is_turn === true
  const expected = trace.flatMap(({ id }) => {
    const path = pathOf(id)
    const named = path.findLast((each) => isTurn(each.turn_id))?.turn_id
    const turnId = path.find((each) => each.is_turn)?.id ?? named
    return turnId ? [[id, turnId] as const] : []
  })
  const { turnIdByCall, aboveFailure } = await assignCalls(trace.toReversed(), new TimeSlices())
  expect(Object.fromEntries(turnIdByCall)).toEqual(Object.fromEntries(expected))
  const above = trace.filter(({ has_failed: hasFailed }) => hasFailed).flatMap(({ id }) => pathOf(id).slice(1))
  expect([...aboveFailure].toSorted()).toEqual([...new Set(above.map(({ id }) => id))].toSorted())
})
