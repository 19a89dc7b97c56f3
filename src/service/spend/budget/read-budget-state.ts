import * as z from 'zod/mini'
import type { BudgetState } from '../../../contract/budget'
import { formatPlainDecimal, parsePlainDecimal, roundDecimal, type Decimal, zero } from '../../../contract/decimal'
import { formatInstant } from '../../../contract/instant'
import type { SpendGroup } from '../../../contract/spend'
import { isNotDeleted } from '../../store/merged-calls'
import { engineTime } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { querySpend } from '../query-spend'
import type { SpendRequest } from '../spend-request'
import { TimeZone } from '../time-zone'
import { findBudget } from './budget-store'
import { forecastMonth } from './forecast-month'

const weekMs = 7 * 86_400_000
/** A month is shorter, also where the clock is changed. */
const longerThanMonthSeconds = 40 * 86_400
/** What a forecast says beyond is noise. */
const forecastPlaces = 6

/** The budget of a project and how far it is used at `nowMs`, milliseconds since 1970. */
export async function readBudgetState(
  store: Store,
  projectId: string,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
  reader: QueryOptions,
): Promise<BudgetState> {
  const stored = await findBudget(store, projectId, reader)
  if (!stored || stored.amount === '') return { budget: null, month: null }
  const { version: _, ...budget } = stored
  const zone = new TimeZone(timeZone)
  const from = zone.startOf('month', Math.floor(nowMs / 1000))
  const to = zone.startOf('month', from + longerThanMonthSeconds)
  const spendSince = async (fromMs: number, group: Pick<SpendRequest, 'group_by' | 'interval' | 'sort_by'> = {}) => {
    const filter = { after_datetime: toInstant(fromMs, -1n), before_datetime: toInstant(nowMs, 1n) }
    return await querySpend(store, { project_id: projectId, filter, time_zone: timeZone, ...group }, reader)
  }
  const days = await spendSince(from * 1000, {
    group_by: ['interval'],
    interval: 'day',
    sort_by: [{ field: 'interval', direction: 'asc' }],
  })
  const recentMs = Math.max(nowMs - weekMs, (await findFirstStart(store, projectId, reader)) ?? nowMs)
  const [recent] = await spendSince(recentMs)
  const month = forecastMonth({
    fromMs: from * 1000,
    toMs: to * 1000,
    nowMs,
    days: days.map((day) => ({ startMs: Date.parse(day.interval ?? ''), amount: totalIn(day, budget.currency) })),
    recent: { startMs: recentMs, amount: totalIn(recent, budget.currency) },
    budget: parsePlainDecimal(budget.amount),
  })
  return {
    budget,
    month: {
      from: toInstant(from * 1000),
      to: toInstant(to * 1000),
      spent: formatPlainDecimal(month.spent),
      per_day: formatRounded(month.perDay),
      forecast: formatRounded(month.forecast),
      exceeded_since: month.exceededSinceMs === null ? null : toInstant(month.exceededSinceMs),
      exceeds_at: month.exceedsAtMs === null ? null : toInstant(month.exceedsAtMs),
    },
  }
}

function totalIn(group: SpendGroup | undefined, currency: string): Decimal {
  const cost = group?.costs.find((each) => each.currency === currency)
  return cost ? parsePlainDecimal(cost.total) : zero
}

/**
 * When the first call of a project started, in milliseconds since 1970. A deleted one is none: nothing is spent in the days
 * after it.
 */
async function findFirstStart(store: Store, projectId: string, reader: QueryOptions): Promise<number | undefined> {
  const statement = sql`SELECT started_at FROM call_starts WHERE project_id = ${projectId} AND ${isNotDeleted(sql`id`, projectId)}
ORDER BY started_at ASC LIMIT 1`
  const [row] = await store.query(statement, z.object({ started_at: engineTime }), reader)
  return row && Date.parse(row.started_at)
}

function toInstant(ms: number, moreMicroseconds = 0n): string {
  return formatInstant(BigInt(ms) * 1000n + moreMicroseconds)
}

function formatRounded(amount: Decimal): string {
  return formatPlainDecimal(roundDecimal(amount, forecastPlaces))
}
