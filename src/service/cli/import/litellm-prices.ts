import { judgePrice, numberOf, type PriceList } from './price'
import { outlineOf } from './top-level-keys'
import { isJsonObject } from '../../../contract/json-value'

/** Says what the fields are; it is no model. */
const explanation = 'sample_spec'

/** Reads LiteLLM's list: an object of models with what they cost per token. Models that are not sold by the token are left out. */
export function readLitellmPrices(text: string): PriceList {
  const list: PriceList = { prices: [], problems: [], skipped: {} }
  const entries = entriesOf(text)
  if (typeof entries === 'string') return { ...list, problems: [{ line: lineOfBreak(text), msg: entries }] }
  const skip = (reason: string) => {
    list.skipped[reason] = (list.skipped[reason] ?? 0) + 1
  }
  const lines = new Map<string, number>()
  for (const { name, depth, line } of outlineOf(text).keys) {
    if (depth !== 1) continue
    if (lines.has(name)) skip('models named before: the last entry of a name counts')
    lines.set(name, line)
  }
  for (const [llmId, entry] of Object.entries(entries)) {
    const line = lines.get(llmId) ?? 1
    if (llmId === explanation) continue
    if (!isJsonObject(entry)) {
      list.problems.push({ line, msg: `${llmId}: Must be an object of prices.` })
      continue
    }
    const { input_cost_per_token: input, output_cost_per_token: output, litellm_provider: provider } = entry
    if (isUnsaid(input) && isUnsaid(output)) skip('models without prices per token')
    else if (isUnsaid(input) || isUnsaid(output)) skip('models with a price per token in one direction only')
    else {
      const cost = { prompt_token_cost: decimal(input), completion_token_cost: decimal(output), provider_id: provider }
      const judged = judgePrice(line, llmId, cost)
      if ('msg' in judged) list.problems.push({ line, msg: `${llmId}: ${judged.msg}` })
      else list.prices.push(judged)
    }
  }
  return list
}

function isUnsaid(value: unknown): boolean {
  return value === undefined || value === null
}

/** Some entries of the list have had their numbers in quotes. */
function decimal(value: unknown): unknown {
  return typeof value === 'string' ? numberOf(value) : value
}

function entriesOf(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
    return 'Expected one JSON object of models.'
  } catch {
    return 'This is not valid JSON from here on. Expected one JSON object of models.'
  }
}

/** The line on which JSON text stops being JSON. */
function lineOfBreak(text: string): number {
  try {
    JSON.parse(text)
    return 1
  } catch (error) {
    // V8 names the place for some errors; for others the text just ends too early.
    const position = error instanceof Error ? / at position (\d+)/.exec(error.message)?.[1] : undefined
    return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length
  }
}
