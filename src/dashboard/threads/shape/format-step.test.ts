import { expect, test } from 'vitest'
import { formatStep, listDurationTicks } from './format-step'

test.each([
  [100, 30_000, ['100 ms', '1 s', '10 s']],
  [1050, 1180, ['1.05 s', '1.1 s', '1.15 s']],
  [60_000, 900_000, ['1 min', '2 min', '5 min', '10 min']],
  [6000, 7_200_000, ['10 s', '1 min', '10 min', '1 h']],
  [100, 3_600_000, ['100 ms', '10 s', '10 min']],
  [125_000, 149_000, ['2.2 min', '2.4 min']],
])('between %d and %d ms the ticks are %j', (low, high, texts) => {
  expect(listDurationTicks(low, high, 4).map(formatStep)).toEqual(texts)
})
