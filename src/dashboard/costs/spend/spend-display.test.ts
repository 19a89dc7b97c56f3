import { expect, test } from 'vitest'
import type { SpendGroup } from '../../../contract/spend'
import { measureAmounts, measureCounts } from './spend-display'

const row = (...totals: readonly [currency: string, total: string][]) =>
  ({
    costs: totals.map(([currency, total]) => ({ currency, total })),
    prompt_tokens: 1_000_000,
    completion_tokens: 0,
    unpriced_call_count: 0,
  }) as SpendGroup // only these fields are read

test('the column is as wide as its longest amount, and names the one currency', () => {
  const narrow = measureAmounts([row(['USD', '1.5'])])
  expect(narrow).toMatchObject({ currency: 'USD', tailLength: 3 })
  expect(measureAmounts([row(['USD', '1.5']), row(['USD', '12345.5'])]).amountWidth).toBeGreaterThan(narrow.amountWidth)
})

test('where currencies differ, they have a slot, as wide for a row that has both', () => {
  const apart = measureAmounts([row(['USD', '75.11']), row(['EUR', '3.76'])])
  const together = measureAmounts([row(['USD', '75.11'], ['EUR', '3.76'])])
  const alone = measureAmounts([row(['USD', '75.11'])])
  expect([apart.currency, alone.currency, alone.currencyWidth]).toEqual([undefined, 'USD', 0])
  expect(together.amountWidth).toBe(apart.amountWidth)
  expect(apart.amountWidth).toBe(alone.amountWidth + apart.currencyWidth + 6)
})

test('huge amounts and long currencies take no more room than others', () => {
  const { amountWidth } = measureAmounts([row(['USD', '9951852128402560.43']), row(['a currency of sixty characters', '1'])])
  expect(amountWidth).toBeLessThan(190)
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
