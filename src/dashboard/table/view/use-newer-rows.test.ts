import { expect, test } from 'vitest'
import { countNewer } from './use-newer-rows'

test('new and changed rows are newer, moved rows are not', () => {
  const row = (id: string, turns: number) => ({ id, turns })
  const shown = [row('a', 1), row('b', 2)]
  expect(countNewer([row('c', 1), row('b', 3), row('a', 1)], shown, ({ id }) => id)).toBe(2)
  expect(countNewer([row('b', 2), row('a', 1)], shown, ({ id }) => id)).toBe(0)
})
