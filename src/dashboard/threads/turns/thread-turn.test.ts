import { expect, test } from 'vitest'
import { testTurn as turn } from './testing/test-turn'
import { sortTurns, sumTurns } from './thread-turn'

test('money is added exactly, each currency by itself', () => {
  const turns = [
    turn('a', { prompt_tokens: 3, completion_tokens: 1, costs: [{ currency: 'USD', total: '0.1' }], unpriced_call_count: 1 }),
    turn('b', {
      prompt_tokens: 4,
      costs: [
        { currency: 'USD', total: '0.2' },
        { currency: 'EUR', total: '5' },
      ],
    }),
  ]
  expect(sumTurns(turns)).toEqual({
    tokens: { prompt: 7, completion: 1 },
    costs: [
      { currency: 'USD', total: '0.3' },
      { currency: 'EUR', total: '5' },
    ],
    unpricedCallCount: 1,
  })
})

test('a sum with an unknown part is unknown', () => {
  const unknown = { ...turn('b'), tokens: null, costs: null }
  expect(sumTurns([turn('a'), unknown])).toMatchObject({ tokens: null, costs: null })
})

test('turns are in the order of their start to the microsecond, then of their ids; those without a start are last', () => {
  const turns = [
    { ...turn('no start'), startMs: null },
    turn('later', { started_at: '2026-01-01T00:00:00.000002Z' }),
    turn('b'),
    turn('a'),
  ]
  expect(sortTurns(turns).map(({ id }) => id)).toEqual(['a', 'b', 'later', 'no start'])
})
