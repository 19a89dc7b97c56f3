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
  const results: Buffer[] = []
  let itemCount = 0
  let refusedCount = 0
  for await (const portion of portions) {
    const refusals = [...portion.refusals, ...(await writePortion(portion))].toSorted((left, right) => left.item - right.item)
    for (const { item, problem: error } of refusals) {
      refused.add(user.username, error)
      portion.results[item - portion.firstItem] = JSON.stringify({ error })
    }
    if (itemCount > 0) results.push(Buffer.from(','))
    results.push(Buffer.from(portion.results.join(',')))
    itemCount += portion.results.length
    refusedCount += refusals.length
  }
  return { json: Buffer.concat(results), refusedCount }

  /** Returns the items that the engine cannot read. */
  async function writePortion(portion: BatchPortion): Promise<Refusal[]> {
    const errors = await writer.writeLines(portion, reader.share)
    return portion.items.flatMap((item, index) => (errors[index] ? [{ item, problem: unreadable(item) }] : []))
  }
}

function unreadable(item: number): Problem {
  return { loc: ['body', 'batch', String(item)], msg: unreadableCall, type: 'value_error' }
}
