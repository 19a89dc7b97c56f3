import { isJsonObject } from '../json-value'
import { parsePrice, type PriceList } from './imported-price'
import { parseDecimal } from './parse-decimal'

/** An entry that documents the fields; it is not a model. */
const documentationEntry = 'sample_spec'

/** Reads LiteLLM's list: one JSON object of models with their prices per token. Models with other prices are skipped. */
export function readLitellmPrices(text: string): PriceList {
  const list: PriceList = { prices: [], problems: [], skipped: {} }
  const models = parseModels(text)
  if ('msg' in models) return { ...list, problems: [models] }
  const withSteps: string[] = []
  for (const [llmId, entry] of Object.entries(models.value)) {
    if (llmId === documentationEntry) continue
    const price = parseEntry(llmId, entry)
    if ('skipReason' in price) list.skipped[price.skipReason] = (list.skipped[price.skipReason] ?? 0) + 1
    else if ('msg' in price) list.problems.push({ line: findLine(text, llmId), msg: `${llmId}: ${price.msg}` })
    else {
      list.prices.push(price)
      if (hasStep(entry)) withSteps.push(llmId)
    }
  }
  if (withSteps.length > 0)
    list.losses = [`A price for long prompts is not stored, because a record has one price: ${withSteps.join(', ')}.`]
  return list
}

function parseEntry(llmId: string, entry: unknown): ReturnType<typeof parsePrice> | { skipReason: string } {
  if (!isJsonObject(entry)) return { msg: 'Must be an object of prices.' }
  const { input_cost_per_token: input, output_cost_per_token: output, litellm_provider: provider } = entry
  const count = [input, output].filter((cost) => cost !== undefined && cost !== null).length
  if (count === 0) return { skipReason: 'models without prices per token' }
  if (count === 1) return { skipReason: 'models with a price per token in one direction only' }
  return parsePrice(llmId, {
    prompt_token_cost: toNumber(input),
    completion_token_cost: toNumber(output),
    cache_read_input_token_cost: toNumber(entry['cache_read_input_token_cost']),
    cache_creation_input_token_cost: toNumber(entry['cache_creation_input_token_cost']),
    provider_id: provider,
  })
}

/** Prices such as `input_cost_per_token_above_200k_tokens`. */
function hasStep(entry: unknown): boolean {
  return isJsonObject(entry) && Object.keys(entry).some((key) => /_per_token_above_\w+_tokens$/.test(key))
}

/** Some entries of the list have had numbers in quotes. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' ? (parseDecimal(value) ?? value) : value
}

function parseModels(text: string): { value: Readonly<Record<string, unknown>> } | { line: number; msg: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? { value } : { line: 1, msg: 'Expected one JSON object of models.' }
  } catch (error) {
    // V8 names the position of some errors, Firefox the line. Where neither is named, the text ends too early.
    const message = error instanceof Error ? error.message : ''
    const position = / at position (\d+)/.exec(message)?.[1]
    const namedLine = / at line (\d+) column/.exec(message)?.[1]
    const line = Number(namedLine ?? countLines(text.slice(0, position === undefined ? text.length : Number(position))))
    return { line, msg: 'The JSON is not valid from here on. Expected one JSON object of models.' }
  }
}

/** The line of a model's entry; 1 where its name is written in an unusual way. */
function findLine(text: string, llmId: string): number {
  return countLines(text.slice(0, Math.max(0, text.indexOf(`${JSON.stringify(llmId)}:`))))
}

function countLines(text: string): number {
  return text.split('\n').length
}
