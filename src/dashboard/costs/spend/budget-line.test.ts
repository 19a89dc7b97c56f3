import { expect, test } from 'vitest'
import type { BudgetState } from '../../../contract/budget'
import { toBudgetLine } from './budget-line'

const november: BudgetState = {
  budget: { amount: '300', currency: 'USD', updated_at: '2026-11-01T00:00:00Z', updated_by: 'kim' },
  month: {
    from: '2026-11-01T00:00:00Z',
    to: '2026-12-01T00:00:00Z',
    spent: '0',
    per_day: '0',
    forecast: '0',
    exceeded_since: null,
    exceeds_at: null,
  },
}
const dollars = { kind: 'spend', currency: 'USD' } as const

test('the line is the part of the budget that a bar may be', () => {
  expect(toBudgetLine(november, dollars, 'day')).toEqual({ value: 10, label: 'budget: 10.00 a day' })
  expect(toBudgetLine(november, dollars, 'week')?.value).toBe(70)
  expect(toBudgetLine(november, dollars, 'hour')?.value).toBeCloseTo(10 / 24, 12)
})

test('there is no line without a budget, in another currency, or where the bars are no money', () => {
  expect(toBudgetLine(undefined, dollars, 'day')).toBeUndefined()
  expect(toBudgetLine({ budget: null, month: null }, dollars, 'day')).toBeUndefined()
  expect(toBudgetLine(november, { kind: 'spend', currency: 'EUR' }, 'day')).toBeUndefined()
  expect(toBudgetLine(november, { kind: 'calls', currency: 'USD' }, 'day')).toBeUndefined()
})
