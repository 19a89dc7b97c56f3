import * as z from 'zod/mini'
import type { NewCost } from '../../../contract/new-cost'
import { formatPlainDecimal, shiftDecimal, toDecimal } from '../../../contract/decimal'
import { maxModelNameLength, maxProviderLength, maxUnitLength } from '../../../contract/limits'
import { parseDecimal } from '../../../contract/price-files/parse-decimal'
import type { Problem } from '../../../contract/problem'
import type { ReceivedCost } from '../../../contract/received-costs'
import { isLongerThan } from '../../../contract/schema'
import type { TimeZone } from '../../format/instant'
import { type PriceUnit, priceUnits } from '../../format/money'
import { parseTimeText } from '../../format/parse-time-text'
import { type PriceField, priceFields } from '../records/likely-unit-error'

/** The fields for prices, by the wire's names. */
const PriceTexts = z.object({
  prompt_token_cost: z.string(),
  completion_token_cost: z.string(),
  cache_read_input_token_cost: z.string(),
  cache_creation_input_token_cost: z.string(),
})

/** The values of the form, as typed. */
export const PriceDraft = z.extend(PriceTexts, {
  model: z.string(),
  provider: z.string(),
  currency: z.string(),
  /** What the prices are for. */
  unit: z.enum(priceUnits),
  /** From when the price holds: the moment it is recorded, the date of the record that it corrects, or `startText`. */
  start: z.enum(['now', 'record', 'other']),
  startText: z.string(),
  /** Why it is not known whether it is recorded: it was sent, and no reply told. */
  unsure: z.optional(z.string()),
})
export type PriceDraft = z.infer<typeof PriceDraft>

const exponents: Record<PriceUnit, number> = { token: 0, '1K': -3, '1M': -6 }
const decimalShift: Record<PriceUnit, number> = { token: 0, '1K': 3, '1M': 6 }

/** A typed price per token, exactly; undefined for text that is no price, or has more digits than the wire keeps. */
export function parsePriceText(text: string, unit: PriceUnit): number | undefined {
  const price = parseDecimal(text.trim(), exponents[unit])
  return price !== undefined && Number.isFinite(price) && price >= 0 && hasAllDigits(text, price) ? price : undefined
}

/** JSON carries a price as a double. Fifteen digits always fit, the sixteenth and seventeenth sometimes. */
function hasAllDigits(text: string, price: number): boolean {
  const [mantissa = ''] = text.split(/e/i)
  return toSignificantDigits(mantissa) === toSignificantDigits(String(toDecimal(price).digits))
}

function toSignificantDigits(text: string): string {
  return text.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, '')
}

/** The same price for another number of tokens, exactly. Text that is no price stays as it is. */
export function convertPriceText(text: string, from: PriceUnit, to: PriceUnit): string {
  const price = parsePriceText(text, from)
  return price === undefined ? text : toPriceText(price, to)
}

/** A price as it is typed: every digit, without an exponent. */
export function toPriceText(perToken: number | null | undefined, unit: PriceUnit): string {
  if (perToken === null || perToken === undefined) return ''
  return formatPlainDecimal(shiftDecimal(toDecimal(perToken), decimalShift[unit]))
}

function describePriceProblem(text: string, unit: PriceUnit): string | undefined {
  const trimmed = text.trim()
  if (parsePriceText(trimmed, unit) !== undefined) return undefined
  if (trimmed.startsWith('-')) return 'A price is 0 or more.'
  if (Number.isFinite(parseDecimal(trimmed))) return 'This has more digits than can be kept: at most 15.'
  return /^[\d.,' ]+$/.test(trimmed)
    ? 'Write the number without separators, and its decimals with a point: 1250.5'
    : 'This is not a number. Write for example 2.50'
}

/** Checks a draft. `zone` is what a typed time without an offset is in. */
export function priceFormSchema(zone: TimeZone) {
  return PriceDraft.check((context) => {
    const { value } = context
    const add = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: value, continue: true })
    if (value.model.trim() === '') add('model', 'The name of the model is needed, as calls name it.')
    for (const [name, max] of [
      ['model', maxModelNameLength],
      ['provider', maxProviderLength],
      ['currency', maxUnitLength],
    ] as const) {
      if (isLongerThan(value[name].trim(), max)) add(name, `At most ${max} characters.`)
    }
    if (value.currency.trim() === '') add('currency', 'A currency is needed, such as USD.')
    for (const { field } of priceFields) {
      const isRequired = field === 'prompt_token_cost' || field === 'completion_token_cost'
      if (value[field].trim() === '') {
        if (isRequired) add(field, 'A price is needed. Write 0 where it is free.')
        continue
      }
      const problem = describePriceProblem(value[field], value.unit)
      if (problem) add(field, problem)
    }
    if (value.start === 'other') {
      const time = value.startText.trim() === '' ? undefined : parseTimeText(value.startText, zone)
      if (!time) add('startText', 'A day or time is needed, such as 2026-01-31.')
      else if ('problem' in time) add('startText', time.problem)
    }
  })
}

type Dates = { zone: TimeZone; recordDate: string | null | undefined }

/** The price of a draft that is correct, in the wire's form. */
export function toNewCost(draft: PriceDraft, { zone, recordDate }: Dates): NewCost {
  const price = (field: PriceField) => parsePriceText(draft[field], draft.unit)
  const cacheRead = price('cache_read_input_token_cost')
  const cacheCreation = price('cache_creation_input_token_cost')
  const provider = draft.provider.trim()
  const currency = draft.currency.trim()
  const date = toEffectiveDate(draft, { zone, recordDate })
  return {
    prompt_token_cost: price('prompt_token_cost') ?? 0,
    completion_token_cost: price('completion_token_cost') ?? 0,
    ...(cacheRead !== undefined && { cache_read_input_token_cost: cacheRead }),
    ...(cacheCreation !== undefined && { cache_creation_input_token_cost: cacheCreation }),
    prompt_token_cost_unit: currency,
    completion_token_cost_unit: currency,
    ...(provider !== '' && { provider_id: provider }),
    ...(date !== undefined && { effective_date: date }),
  }
}

/** The date from which the price holds; undefined for the moment at which it is recorded, and while the text is no time. */
export function toEffectiveDate(
  { start, startText }: Pick<PriceDraft, 'start' | 'startText'>,
  { zone, recordDate }: Dates,
): string | undefined {
  if (start === 'record') return recordDate ?? undefined
  if (start === 'now') return undefined
  const time = parseTimeText(startText, zone)
  if ('problem' in time) return undefined
  // A day means the day in UTC, as on the wire and in the table.
  return time.day === undefined ? time.instant : `${time.day}T00:00:00Z`
}

export const emptyDraft: PriceDraft = {
  model: '',
  provider: '',
  currency: 'USD',
  unit: '1M',
  prompt_token_cost: '',
  completion_token_cost: '',
  cache_read_input_token_cost: '',
  cache_creation_input_token_cost: '',
  start: 'now',
  startText: '',
}

/** Whether two drafts say the same. The order of their keys may differ: one was validated, the other typed. */
export function isSameDraft(left: PriceDraft, right: PriceDraft): boolean {
  return Object.entries(left).every(([name, value]) => right[name as keyof PriceDraft] === value) // both have all keys
}

/** The draft that corrects a record: its values, and its own date, because the record was wrong from its start. */
export function toCorrection(cost: ReceivedCost, isOwn: boolean): PriceDraft {
  return {
    ...emptyDraft,
    model: cost.llm_id ?? '',
    provider: cost.provider_id ?? '',
    currency: cost.prompt_token_cost_unit ?? cost.completion_token_cost_unit ?? 'USD',
    prompt_token_cost: toPriceText(cost.prompt_token_cost, '1M'),
    completion_token_cost: toPriceText(cost.completion_token_cost, '1M'),
    cache_read_input_token_cost: toPriceText(cost.cache_read_input_token_cost, '1M'),
    cache_creation_input_token_cost: toPriceText(cost.cache_creation_input_token_cost, '1M'),
    start: isOwn && cost.effective_date !== null ? 'record' : 'now',
  }
}

/** The field of the form that shows a problem of a request. */
type FormField = keyof PriceDraft

const formFields: Readonly<Record<string, FormField>> = {
  provider_id: 'provider',
  prompt_token_cost_unit: 'currency',
  completion_token_cost_unit: 'currency',
  effective_date: 'startText',
}

/** What a 422 response says about the form. `others` belong to no field. */
export function toServerErrors(problems: readonly Problem[]): { fields: Map<FormField, string>; others: string[] } {
  const fields = new Map<FormField, string>()
  const others: string[] = []
  for (const { loc, msg } of problems) {
    const [place, costs, model, name] = loc
    const field =
      place !== 'body' || costs !== 'costs' || model === undefined
        ? undefined
        : name === undefined
          ? 'model'
          : (formFields[name] ?? priceFields.find((each) => each.field === name)?.field)
    if (field === undefined) others.push(loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg)
    else fields.set(field, fields.has(field) ? `${fields.get(field)} ${msg}` : msg)
  }
  return { fields, others }
}
