import type { Problem } from '../../../contract/problem'
import type { RequestContext } from '../../http/route'
import type { CallSink } from '../call-writer'
import type { RefusedCalls } from '../refused-calls'
import type { BatchPortion, Refusal } from './prepare-batch'

export type BatchDeps = { writer: CallSink; refused: RefusedCalls }

export const unreadableCall = 'The store cannot read this call. Check its texts and times.'

/** The results of a batch, JSON separated by commas: the response to each item as if it had been sent alone, or `error`. */
export type BatchResults = { json: Uint8Array<ArrayBuffer>; refusedCount: number }

/**
 * Stores the valid items of a batch, portion by portion, and returns a result for each item, in order; also where no item
 * is valid. W&B Weave's npm SDK (0.11) ends the program that it traces after ten batches with an error status.
 */
export async function storeBatch(
  portions: AsyncIterable<BatchPortion>,
  { user, reader }: Pick<RequestContext, 'user' | 'reader'>,
  { writer, refused }: BatchDeps,
): Promise<BatchResults> {
  const results: Uint8Array[] = []
  let refusedCount = 0
  for await (const portion of portions) {
    const unreadable = await writePortion(portion)
    const refusals = [...portion.refusals, ...unreadable].toSorted((left, right) => left.item - right.item)
    for (const { problem } of refusals) refused.add(user.username, problem)
    refusedCount += refusals.length
    if (results.length > 0) results.push(Buffer.from(','))
    results.push(unreadable.length > 0 ? replaceResults(portion, unreadable) : portion.results)
  }
  return { json: Buffer.concat(results), refusedCount }

  /** Returns the items that the engine cannot read. */
  async function writePortion(portion: BatchPortion): Promise<Refusal[]> {
    const errors = await writer.writeLines(portion, reader.share)
    return portion.items.flatMap((item, index) => (errors[index] ? [{ item, problem: toProblem(item) }] : []))
  }
}

/** The results of the portion, with the problems of these items in place of their responses. */
function replaceResults({ results, firstItem }: BatchPortion, refusals: readonly Refusal[]): Uint8Array {
  const values = JSON.parse(`[${Buffer.from(results).toString()}]`) as unknown[] // JSON.parse returns any
  for (const { item, problem: error } of refusals) values[item - firstItem] = { error }
  return Buffer.from(JSON.stringify(values).slice(1, -1))
}

function toProblem(item: number): Problem {
  return { loc: ['body', 'batch', String(item)], msg: unreadableCall, type: 'value_error' }
}
