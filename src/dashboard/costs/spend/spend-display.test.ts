import { expect, test } from 'vitest'
import type { SpendGroup } from '../../../contract/spend'
import { measureAmounts } from './spend-display'

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
