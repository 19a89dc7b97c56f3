import { expect, test } from 'vitest'
import type { SpendGroup } from '../../../contract/spend'
import { measureAmounts, measureCounts } from './spend-display'

const row = (...totals: readonly [currency: string, total: string][]) =>
  ({ costs: totals.map(([currency, total]) => ({ currency, total })) }) as SpendGroup // only these fields are read

test('the column is as wide as its longest amount, and names the one currency', () => {
  const narrow = measureAmounts([row(['USD', '1.5'])])
  expect(narrow).toMatchObject({ currency: 'USD', tailLength: 3 })
  expect(measureAmounts([row(['USD', '1.5']), row(['USD', '12345.5'])]).amountWidth).toBeGreaterThan(narrow.amountWidth)
})

test('a row with two currencies has room for both amounts', () => {
  const apart = measureAmounts([row(['USD', '75.11']), row(['EUR', '3.76'])])
  const together = measureAmounts([row(['USD', '75.11'], ['EUR', '3.76'])])
  expect(apart.currency).toBeUndefined()
  expect(together.amountWidth).toBeGreaterThan(apart.amountWidth + 50)
})

test('one tiny amount does not part the others from their edge', () => {
  const { tailLength, amountWidth } = measureAmounts([
    row(['USD', '75.11']),
    row(['USD', '3.76']),
    row(['USD', '0.000000000000000768']),
  ])
  expect(tailLength).toBe('.11'.length)
  expect(amountWidth).toBeGreaterThan('0.000000000000000768'.length * 8)
})

test('no count of tokens is cut', () => {
  const counts = { call_count: 12, prompt_tokens: 27_021_597_773_820, completion_tokens: 4544 }
  const widths = measureCounts([{ ...row(), ...counts, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }])
  expect(widths.prompt_tokens).toBeGreaterThan('27,021,597,773,820'.length * 8)
  expect(widths.completion_tokens).toBeLessThan(100)
})
