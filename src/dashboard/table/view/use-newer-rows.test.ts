import { expect, test } from 'vitest'
import { countNewer, hasSameOrder } from './use-newer-rows'

test('new and changed rows are newer, moved rows are not', () => {
  const row = (id: string, turns: number) => ({ id, turns })
  const shown = [row('a', 1), row('b', 2)]
  expect(countNewer([row('c', 1), row('b', 3), row('a', 1)], shown, ({ id }) => id)).toBe(2)
  expect(countNewer([row('b', 2), row('a', 1)], shown, ({ id }) => id)).toBe(0)
})

test('rows that changed are where they were, rows that came, went or changed places are not', () => {
  const row = (id: string, turns: number) => ({ id, turns })
  const isSame = (latest: readonly { id: string }[]) => hasSameOrder(latest, [row('a', 1), row('b', 2)], ({ id }) => id)
  expect(isSame([row('a', 5), row('b', 6)])).toBe(true)
  expect([[], [row('a', 1)], [row('b', 2), row('a', 1)], [row('a', 1), row('b', 2), row('c', 3)]].map(isSame)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
