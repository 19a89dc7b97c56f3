import { isJsonObject } from '../../../contract/json-value'
import { HttpError } from '../../http/http-error'
import { parseJson } from '../../http/parse-json'
import { maxBodyBytes } from '../../http/read-body'
import { addResult, type BatchResult, createResult } from './batch-result'
import { type Line, maxLineBytes } from './input-file'

const maxBatchLines = 1000
const maxBatchBytes = 8 * 1024 * 1024
/** Enough that the service always has a batch to write while the next ones are on their way. */
const maxConcurrentBatches = 4

/** Sends lines in batches, a few at a time, and yields the results in the order of the lines. The first failure ends it. */
export async function* importLines(
  lines: AsyncIterable<Line>,
  sendBatch: (lines: readonly Line[]) => Promise<BatchResult>,
): AsyncGenerator<BatchResult> {
  const results: Promise<BatchResult>[] = []
  for await (const batch of readBatches(lines)) {
    const oldest = results.length < maxConcurrentBatches ? undefined : results.shift()
    if (oldest) yield await oldest
    const result = sendBatch(batch)
    // A failure is thrown where the result is awaited. Until then it must not count as unhandled.
    result.catch(() => undefined)
    results.push(result)
  }
  for (const result of results) yield await result
}

/** Collects lines up to a number and a size. A line that is larger makes a batch of its own. */
async function* readBatches(lines: AsyncIterable<Line>): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = []
  let batchBytes = 0
  for await (const line of lines) {
    const lineBytes = line.bytes?.length ?? 0
    if (batch.length === maxBatchLines || (batch.length > 0 && batchBytes + lineBytes > maxBatchBytes)) {
      yield batch
      batch = []
      batchBytes = 0
    }
    batch.push(line)
    batchBytes += lineBytes
  }
  if (batch.length > 0) yield batch
}

/** Why a line is not sent: it is wrong, or it is skipped on purpose. */
export type Unsent = { msg: string } | { skipReason: string }

type Sending<Item> = {
  parse: (line: Line) => Item | Unsent
  /** Groups the items by request. */
  group: (items: readonly Item[]) => Iterable<readonly Item[]>
  /** Sends one group. Resolves to undefined where the response does not say which of the items are wrong. */
  send: (items: readonly Item[]) => Promise<BatchResult | undefined>
}

/** Parses lines and sends them in groups. A group whose wrong items are unknown is sent again in halves, down to one item. */
export async function sendLines<Item extends object>(
  lines: readonly Line[],
  { parse, group, send }: Sending<Item>,
): Promise<BatchResult> {
  const result = createResult()
  const items: Item[] = []
  for (const line of lines) {
    const parsed = parse(line)
    if ('skipReason' in parsed) addResult(result, createResult({ skipped: { [parsed.skipReason]: 1 } }))
    else if ('msg' in parsed) result.problems.push({ line: line.number, msg: parsed.msg })
    else items.push(parsed)
  }
  for (const each of group(items)) addResult(result, await sendInHalves(each, send))
  return result
}

async function sendInHalves<Item>(items: readonly Item[], send: Sending<Item>['send']): Promise<BatchResult> {
  const result = await send(items)
  if (result) return result
  if (items.length < 2) throw new Error('The response to a single item was not understood')
  const middle = items.length >> 1
  return addResult(await sendInHalves(items.slice(0, middle), send), await sendInHalves(items.slice(middle), send))
}

const tooLong = `The line is longer than ${maxLineBytes} bytes, the limit for a request of ${maxBodyBytes / 1024 / 1024} MiB. Leave out large inputs or outputs.`

/** Parses a line by the service's own rules, which also limit the nesting. */
export function parseLine({ bytes }: Line): { value: Readonly<Record<string, unknown>> } | { msg: string } {
  if (!bytes) return { msg: tooLong }
  try {
    const value = parseJson(bytes, { name: 'line' })
    return isJsonObject(value) ? { value } : { msg: 'The line is not a JSON object. Expected one object per line.' }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { msg: error.problems[0]?.msg ?? 'The line is not valid JSON.' }
  }
}
