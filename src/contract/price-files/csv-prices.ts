import { formatValue } from '../json-value'
import { readCsv } from './csv'
import { defaultProvider, toComparableValues } from './compare-with-stored'
import { type ImportedPrice, parsePrice, type PriceList } from './imported-price'
import { parseDecimal } from './parse-decimal'

/** The field that a column fills. A column with an exponent holds a decimal number times 10 to the power of it. */
const columns: Readonly<Record<string, { field: string; exponent?: number }>> = {
  llm_id: { field: 'llm_id' },
  prompt_token_cost: { field: 'prompt_token_cost', exponent: 0 },
  completion_token_cost: { field: 'completion_token_cost', exponent: 0 },
  prompt_cost_per_million: { field: 'prompt_token_cost', exponent: -6 },
  completion_cost_per_million: { field: 'completion_token_cost', exponent: -6 },
  cache_read_input_token_cost: { field: 'cache_read_input_token_cost', exponent: 0 },
  cache_creation_input_token_cost: { field: 'cache_creation_input_token_cost', exponent: 0 },
  cache_read_cost_per_million: { field: 'cache_read_input_token_cost', exponent: -6 },
  cache_creation_cost_per_million: { field: 'cache_creation_input_token_cost', exponent: -6 },
  provider_id: { field: 'provider_id' },
  effective_date: { field: 'effective_date' },
  prompt_token_cost_unit: { field: 'prompt_token_cost_unit' },
  completion_token_cost_unit: { field: 'completion_token_cost_unit' },
}
const requiredFields = ['llm_id', 'prompt_token_cost', 'completion_token_cost']

/** Reads prices from CSV. The first row names the columns. */
export function readCsvPrices(text: string): PriceList {
  const { records, problem } = readCsv(text)
  const list: PriceList = { prices: [], problems: [], skipped: {} }
  const [header, ...rows] = records
  const names = header?.fields.map((field) => field.trim().toLowerCase()) ?? []
  const headerProblem = header && checkHeader(names)
  if (headerProblem !== undefined) return { ...list, problems: [{ line: header?.line ?? 1, msg: headerProblem }] }
  const firstByKey = new Map<string, { line: number; price: ImportedPrice }>()
  for (const { line, fields } of rows) {
    const price = parseRow(names, fields)
    if ('msg' in price) {
      list.problems.push({ line, msg: price.msg })
      continue
    }
    const { llmId, cost } = price
    const key = JSON.stringify([llmId, cost.provider_id ?? defaultProvider, cost.effective_date])
    const earlier = firstByKey.get(key)
    if (!earlier) {
      firstByKey.set(key, { line, price })
      list.prices.push(price)
    } else if (toComparableValues(earlier.price.cost) === toComparableValues(cost)) {
      list.skipped['repeated prices'] = (list.skipped['repeated prices'] ?? 0) + 1
    } else {
      const msg = `Line ${earlier.line} has another price for '${llmId}' with the same provider and date. Change an effective_date.`
      list.problems.push({ line, msg })
    }
  }
  if (problem) list.problems.push(problem)
  return list
}

function checkHeader(names: readonly string[]): string | undefined {
  const [only = ''] = names.length === 1 ? names : []
  const wrongSeparator = [';', '\t', '|'].find((character) => only.includes(character))
  if (wrongSeparator !== undefined) {
    const name = wrongSeparator === '\t' ? 'tabs' : `'${wrongSeparator}'`
    return `The columns are separated by ${name}. Separate them by ',' and write decimals with a point.`
  }
  const unknown = names.find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) {
    return `There is no column '${unknown.slice(0, 60)}'. Columns: ${Object.keys(columns).join(', ')}.`
  }
  const fields = names.map((name) => columns[name]?.field)
  const duplicate = fields.find((field, index) => fields.indexOf(field) !== index)
  if (duplicate !== undefined) return `Two columns contain the ${duplicate}. Remove one of them.`
  const missing = requiredFields.find((field) => !fields.includes(field))
  if (missing === undefined) return undefined
  const alternative = missing === 'llm_id' ? '' : ` (or ${missing.replace('_token_cost', '_cost_per_million')})`
  return `The column ${missing}${alternative} is missing. The first row names the columns.`
}

function parseRow(names: readonly string[], fields: readonly string[]): ImportedPrice | { msg: string } {
  if (fields.length !== names.length) return { msg: `The row has ${fields.length} fields, but the header has ${names.length}.` }
  const values: Record<string, string | number> = {}
  for (const [index, name] of names.entries()) {
    const text = fields[index]?.trim() ?? ''
    const column = columns[name]
    if (text === '' || !column) continue // An empty field counts as not given.
    const value = column.exponent === undefined ? text : parseDecimal(text, column.exponent)
    if (value === undefined) {
      return { msg: `${column.field}: Must be a decimal number such as 0.0000025, not ${formatValue(text)}.` }
    }
    values[column.field] = value
  }
  const { llm_id: llmId = '', ...cost } = values
  return parsePrice(String(llmId), cost)
}
