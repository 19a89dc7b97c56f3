import {
  addDecimals,
  compareDecimals,
  type Decimal,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  toDecimal,
  toNumber,
  zero,
} from '../../../contract/decimal'

/** What was spent from one instant on: until the next entry of a list, or the present. */
export type SpendFrom = { startMs: number; amount: Decimal }

export type MonthInput = {
  /** The month, `toMs` excluded, and the present; milliseconds since 1970. */
  fromMs: number
  toMs: number
  nowMs: number
  /** The spend of this month, by day, in order of time. */
  days: readonly SpendFrom[]
  /** The spend since a recent instant: seven days ago, or the first call where that is later. */
  recent: SpendFrom
  budget: Decimal
}

export type MonthForecast = {
  spent: Decimal
  perDay: Decimal
  /** What is spent at the end of the month, if it goes on as recently. */
  forecast: Decimal
  /** The first day on which the spend was above the budget: its start. Null where it is not above it. */
  exceededSinceMs: number | null
  /** When the spend passes the budget, if it goes on so; null where it has already, or does not within the month. */
  exceedsAtMs: number | null
}

const dayMs = 86_400_000
/** A pace of less than a day says little: mornings differ from nights. */
const minPaceMs = dayMs

/** How far a month's budget is used, and what its end will be at the recent pace. */
export function forecastMonth({ fromMs, toMs, nowMs, days, recent, budget }: MonthInput): MonthForecast {
  let spent = zero
  let exceededSinceMs: number | null = null
  for (const { startMs, amount } of days) {
    spent = addDecimals(spent, amount)
    if (exceededSinceMs === null && compareDecimals(spent, budget) > 0) exceededSinceMs = Math.max(startMs, fromMs)
  }
  const pace = divideDecimals(recent.amount, toDecimal(Math.max(minPaceMs, nowMs - recent.startMs)))
  const forecast = addDecimals(spent, multiplyDecimals(pace, toDecimal(toMs - nowMs)))
  const willExceed = exceededSinceMs === null && compareDecimals(forecast, budget) > 0
  return {
    spent,
    perDay: multiplyDecimals(pace, toDecimal(dayMs)),
    forecast,
    exceededSinceMs,
    exceedsAtMs: willExceed ? nowMs + Math.floor(toNumber(divideDecimals(subtractDecimals(budget, spent), pace))) : null,
  }
}
