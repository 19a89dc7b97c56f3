import { array, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import { compareDecimals, formatPlainDecimal, parsePlainDecimal, toDecimal, toNumber } from '../../../contract/decimal'
import { testProperty } from '../../../testing/test-property'
import { forecastMonth, type MonthInput } from './forecast-month'

const dayMs = 86_400_000
const june: Pick<MonthInput, 'fromMs' | 'toMs'> = { fromMs: Date.UTC(2026, 5, 1), toMs: Date.UTC(2026, 6, 1) }
const dayOfJune = (day: number) => Date.UTC(2026, 5, day)

function forecast(amounts: readonly string[], { budget, nowMs, recent }: { budget: string; nowMs: number; recent: string }) {
  const result = forecastMonth({
    ...june,
    nowMs,
    days: amounts.map((amount, index) => ({ startMs: dayOfJune(index + 1), amount: parsePlainDecimal(amount) })),
    recent: { startMs: nowMs - 7 * dayMs, amount: parsePlainDecimal(recent) },
    budget: parsePlainDecimal(budget),
  })
  return {
    ...result,
    spent: formatPlainDecimal(result.spent),
    perDay: formatPlainDecimal(result.perDay),
    forecast: formatPlainDecimal(result.forecast),
  }
}

test('the rest of the month costs as much per day as the last seven days', () => {
  const result = forecast(['10', '30'], { budget: '300', nowMs: dayOfJune(3), recent: '70' })
  expect(result).toMatchObject({ spent: '40', exceededSinceMs: null })
  expect(Number(result.perDay)).toBeCloseTo(10, 9)
  expect(Number(result.forecast)).toBeCloseTo(40 + 28 * 10, 9)
  // 260 are left, at 10 a day.
  expect(result.exceedsAtMs).toBeCloseTo(dayOfJune(3) + 26 * dayMs, -3)
})

test('a budget that is spent exactly is not exceeded', () => {
  expect(forecast(['0.1', '0.2'], { budget: '0.3', nowMs: dayOfJune(3), recent: '0' })).toEqual({
    spent: '0.3',
    perDay: '0',
    forecast: '0.3',
    exceededSinceMs: null,
    exceedsAtMs: null,
  })
})

test('a budget is exceeded since the first day whose spend is above it', () => {
  const result = forecast(['10', '10', '10'], { budget: '15', nowMs: dayOfJune(4), recent: '30' })
  expect(result).toMatchObject({ exceededSinceMs: dayOfJune(2), exceedsAtMs: null })
})

test('a first day that began before the month counts as its start', () => {
  const result = forecastMonth({
    ...june,
    nowMs: dayOfJune(2),
    days: [{ startMs: june.fromMs - 1, amount: toDecimal(2) }],
    recent: { startMs: june.fromMs, amount: toDecimal(0) },
    budget: toDecimal(1),
  })
  expect(result.exceededSinceMs).toBe(june.fromMs)
})

test('a project that began two days ago has the pace of two days, one that began just now that of a day', () => {
  const nowMs = dayOfJune(11)
  const perDay = (startMs: number) =>
    forecastMonth({
      ...june,
      nowMs,
      days: [],
      recent: { startMs, amount: toDecimal(8) },
      budget: toDecimal(1000),
    }).perDay
  expect(toNumber(perDay(nowMs - 2 * dayMs))).toBeCloseTo(4, 9)
  expect(toNumber(perDay(nowMs - 60_000))).toBeCloseTo(8, 9)
})

testProperty(
  'the budget is passed within the month exactly where the forecast is above it',
  record({
    amounts: array(integer({ min: 0, max: 1000 }), { maxLength: 20 }),
    recent: integer({ min: 0, max: 1000 }),
    budget: integer({ min: 1, max: 20_000 }),
  }),
  { runs: 300 },
  ({ amounts, recent, budget }) => {
    const nowMs = dayOfJune(21)
    const result = forecastMonth({
      ...june,
      nowMs,
      days: amounts.map((amount, index) => ({ startMs: dayOfJune(index + 1), amount: toDecimal(amount) })),
      recent: { startMs: nowMs - 7 * dayMs, amount: toDecimal(recent) },
      budget: toDecimal(budget),
    })
    const isAbove = compareDecimals(result.forecast, toDecimal(budget)) > 0
    expect(result.exceededSinceMs !== null || result.exceedsAtMs !== null).toBe(isAbove)
    if (result.exceedsAtMs !== null) {
      expect(result.exceedsAtMs).toBeGreaterThanOrEqual(nowMs)
      expect(result.exceedsAtMs).toBeLessThanOrEqual(june.toMs)
    }
  },
)
