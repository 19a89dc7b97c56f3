import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { Instant } from './instant'
import { maxUnitLength } from './limits'
import { ProjectId } from './project-id'
import { strictRequest } from './request'
import { boundedText, optional, refineAs } from './schema'
import { TimeZone } from './spend'

/** More than any budget, in any currency. */
const maxDigits = 15

const Amount = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (text) => new RegExp(`^\\d{1,${maxDigits}}(?:\\.\\d{1,6})?$`).test(text) && /[1-9]/.test(text),
      `Write an amount above 0 without separators, and its decimals with a point: 1250.5. At most ${maxDigits} digits, and six after the point.`,
    ),
  )

/** What a project may spend in a calendar month. */
const Budget = z.object({
  /** Decimal text. */
  amount: z.string(),
  currency: z.string(),
  updated_at: Instant,
  updated_by: z.string(),
})

/**
 * How far the budget of the present month is used, in its currency alone; amounts are decimal text. `forecast` is what is
 * spent at the end of the month if it goes on as in the last seven days, or since the first call where that is later.
 * `per_day` is that pace.
 */
const BudgetMonth = z.object({
  /** The month in the time zone of the request; `to` is the start of the next one. */
  from: Instant,
  to: Instant,
  spent: z.string(),
  per_day: z.string(),
  forecast: z.string(),
  /** The start of the first day whose spend is above the budget; null while it is not. */
  exceeded_since: z.nullable(Instant),
  /** When the spend passes the budget at this pace; null where it has already, or does not within the month. */
  exceeds_at: z.nullable(Instant),
})

/** Both are null where the project has no budget. */
export const BudgetState = z.object({ budget: z.nullable(Budget), month: z.nullable(BudgetMonth) })
export type BudgetState = z.infer<typeof BudgetState>

/** The budget of a project, and how far it is used. A Spool extension. */
export const readBudget = defineEndpoint({
  path: '/budget/read',
  request: strictRequest({ project_id: ProjectId, time_zone: optional(TimeZone) }),
  response: BudgetState,
})

/** Sets the budget of a project; without an amount there is none. A Spool extension. */
export const updateBudget = defineEndpoint({
  path: '/budget/update',
  request: strictRequest({ project_id: ProjectId, amount: optional(Amount), currency: optional(boundedText(maxUnitLength)) }),
  response: z.object({}),
})
