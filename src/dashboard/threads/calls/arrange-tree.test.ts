import { expect, test } from 'vitest'
import { ReceivedCall } from '../../../contract/received-call'
import { arrangeTree } from './arrange-tree'

const call = (id: string, parentId: string | null, start: number, end: number | null, more: object = {}) =>
  ReceivedCall.parse({
    id,
    parent_id: parentId,
    op_name: `weave:///acme/support/op/${id}:v1`,
    started_at: `2026-01-01T00:00:0${start}Z`,
    ended_at: end === null ? null : `2026-01-01T00:00:0${end}Z`,
    ...more,
  })
const used = (prompt: number, cost?: number) => ({
  summary: {
    usage: { m: { prompt_tokens: prompt, completion_tokens: 1 } },
    weave: { costs: cost === undefined ? {} : { m: { prompt_tokens_total_cost: cost, prompt_token_cost_unit: 'USD' } } },
  },
})

test('calls that a service lists become the tree that others send', () => {
  const tree = arrangeTree(
    [
      call('model', 'turn', 3, 8, used(10, 0.3)),
      call('early', 'turn', 2, 3),
      call('turn', null, 1, 9, used(10, 0.3)),
      call('elsewhere', null, 1, 2),
      call('tool', 'model', 4, 5, { exception: 'No such order' }),
    ],
    'turn',
  )
  expect(tree.map(({ id, status, self_ms, child_count }) => [id, status, self_ms, child_count])).toEqual([
    ['turn', 'descendant_error', 2000, 2],
    ['early', 'success', 1000, 0],
    ['model', 'descendant_error', 4000, 1],
    ['tool', 'error', 1000, 0],
  ])
  expect(tree[0]).toMatchObject({ name: 'turn', model: null, prompt_tokens: 0, costs: [] })
  expect(tree[2]).toMatchObject({ model: 'm', prompt_tokens: 10, kind: 'llm', costs: [{ currency: 'USD', total: '0.3' }] })
})

test('what a call reports beyond its children is its own', () => {
  const [turn] = arrangeTree([call('turn', null, 1, 9, used(10, 0.3)), call('model', 'turn', 2, 3, used(4, 0.1))], 'turn')
  expect(turn).toMatchObject({ prompt_tokens: 6, costs: [{ total: '0.2' }] })
})

test('calls that name the turn and have no way up to it come after its own, with the reason', () => {
  const ofTurn = { turn_id: 'turn' }
  const tree = arrangeTree(
    [
      call('x', 'y', 2, 3, ofTurn),
      call('y', 'x', 2, 3, ofTurn),
      call('orphan', 'unknown', 2, 3, ofTurn),
      call('below', 'turn', 2, 3, ofTurn),
      call('turn', null, 1, 9, ofTurn),
      call('elsewhere', 'unknown', 1, 2),
    ],
    'turn',
  )
  expect(tree.map(({ id, parent_id, cut_by }) => [id, parent_id, cut_by])).toEqual([
    ['turn', null, undefined],
    ['below', 'turn', undefined],
    ['x', null, 'circle'],
    ['y', 'x', undefined],
    ['orphan', null, 'missing'],
  ])
})

test('circles end, and calls without times or names are listed', () => {
  const tree = arrangeTree(
    [call('a', 'b', 1, 2), call('b', 'a', 1, null), ReceivedCall.parse({ id: 'bare', parent_id: 'b' })],
    'a',
  )
  expect(tree.map(({ id, parent_id }) => [id, parent_id])).toEqual([
    ['a', null],
    ['b', 'a'],
    ['bare', 'b'],
  ])
  expect(tree[0]?.cut_by).toBe('circle')
  expect(tree[2]).toMatchObject({ name: 'bare', started_at: '2026-01-01T00:00:01Z', ended_at: null, status: 'running' })
  expect(arrangeTree([call('a', null, 1, 2)], 'unknown')).toEqual([])
})
