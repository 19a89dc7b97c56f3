import { formatValue } from '../../../contract/json-value'
import { readCsv } from './csv'
import { judgePrice, numberOf, type PriceList } from './price'

const perMillion = -6

/** What a column holds. Those of a price say by how many places its decimal point moves. */
const columns = {
  llm_id: { field: 'llm_id', moved: undefined },
  prompt_token_cost: { field: 'prompt_token_cost', moved: 0 },
  completion_token_cost: { field: 'completion_token_cost', moved: 0 },
  prompt_cost_per_million: { field: 'prompt_token_cost', moved: perMillion },
  completion_cost_per_million: { field: 'completion_token_cost', moved: perMillion },
  provider_id: { field: 'provider_id', moved: undefined },
  effective_date: { field: 'effective_date', moved: undefined },
  prompt_token_cost_unit: { field: 'prompt_token_cost_unit', moved: undefined },
  completion_token_cost_unit: { field: 'completion_token_cost_unit', moved: undefined },
} as const
type ColumnName = keyof typeof columns

const names = Object.keys(columns).join(', ')

/** Reads prices from CSV whose first row names the columns. */
export function readCsvPrices(text: string): PriceList {
  const { records, problem } = readCsv(text)
  const list: PriceList = { prices: [], problems: [], skipped: {} }
  const [header, ...rows] = records
  if (header) {
    const found = header.fields.map((field) => field.trim().toLowerCase())
    const wrong = headerProblem(found, text)
    if (wrong !== undefined) return { ...list, problems: [{ line: header.line, msg: wrong }] }
    for (const { line, fields } of rows) {
      if (fields.length !== found.length) {
        list.problems.push({ line, msg: `${fields.length} fields where the header has ${found.length}.` })
        continue
      }
      const { llm_id: llmId, ...cost } = priceOf(found, fields)
      const unreadable = Object.entries(cost).find(([field, value]) => field.endsWith('_token_cost') && typeof value === 'string')
      if (unreadable) {
        const [field, value] = unreadable
        list.problems.push({ line, msg: `${field}: Must be a decimal number such as 0.0000025, not ${formatValue(value)}.` })
        continue
      }
      const judged = judgePrice(line, String(llmId ?? ''), cost)
      if ('msg' in judged) list.problems.push(judged)
      else list.prices.push(judged)
    }
  }
  if (problem) list.problems.push(problem)
  return list
}

function headerProblem(found: readonly string[], text: string): string | undefined {
  const firstLine = text.split(/\r\n|\n|\r/, 1)[0] ?? ''
  const other = [';', '\t', '|'].find((mark) => found.length === 1 && firstLine.includes(mark))
  if (other !== undefined) {
    const shown = other === '\t' ? 'tabs' : `'${other}'`
    return `The columns are separated by ${shown}. Separate them by ',', and write decimals with a point.`
  }
  const unknown = found.find((name) => !isColumn(name))
  if (unknown !== undefined) return `There is no column '${unknown.slice(0, 60)}'. Columns: ${names}.`
  const fields = found.flatMap((name) => (isColumn(name) ? [columns[name].field] : []))
  const twice = fields.find((field, index) => fields.indexOf(field) !== index)
  if (twice !== undefined) return `Two columns say the ${twice}. Leave one out.`
  const missing = (['llm_id', 'prompt_token_cost', 'completion_token_cost'] as const).find((field) => !fields.includes(field))
  if (missing === undefined) return undefined
  const alternative = missing === 'llm_id' ? '' : ` (or ${missing.replace('_token_cost', '_cost_per_million')})`
  return `The column ${missing}${alternative} is missing. The first row names the columns.`
}

function isColumn(name: string): name is ColumnName {
  return Object.hasOwn(columns, name)
}

/** An empty field says nothing. */
function priceOf(header: readonly string[], fields: readonly string[]): Record<string, string | number> {
  const entries = header.flatMap((name, index) => {
    const text = fields[index]?.trim() ?? ''
    if (text === '' || !isColumn(name)) return []
    const { field, moved } = columns[name]
    return [[field, moved === undefined ? text : numberOf(text, moved)] as const]
  })
  return Object.fromEntries(entries)
}
