import { HttpError } from '../../http/http-error'
import { forEachPart } from '../../http/prepare/preparation'
import type { RequestContext } from '../../http/route'
import type { CallSink } from '../call-writer'
import type { SpanPortion, SpansEnd } from './prepare-spans'
import { RejectedItems } from './rejected-items'

export type ExportDeps = {
  writer: CallSink
  /** Called for each span that is not stored, because exporters hardly show the response. */
  onRejected: (username: string, place: string, reason: string) => void
}

export type ExportResult = { rejected: RejectedItems; itemCount: number }

const unreadableSpan = 'The store cannot read the span. Check its texts and times.'

/**
 * Stores the valid spans of a request and returns the others. A request in which no span is valid fails with the first
 * reasons, because exporters show an error and hide a partial success; a request without spans is fine.
 */
export async function exportSpans(
  portions: AsyncGenerator<SpanPortion, SpansEnd, undefined>,
  { user, reader }: Pick<RequestContext, 'user' | 'reader'>,
  { writer, onRejected }: ExportDeps,
): Promise<ExportResult> {
  const rejected = new RejectedItems('spans')
  const reject = (place: string, reason: string) => {
    rejected.add(reason, place)
    onRejected(user.username, place, reason)
  }
  const end = await forEachPart(portions, async (portion) => {
    for (const { place, reason } of portion.rejected) reject(place, reason)
    const errors = await writer.writeLines(portion, reader.share)
    for (const [index, place] of portion.items.entries()) if (errors[index]) reject(place, unreadableSpan)
  })
  return endExport(rejected, end)
}

/** Throws an `HttpError` where nothing of the request was stored. */
export function endExport(
  rejected: RejectedItems,
  { itemCount, isAllForbidden }: Pick<SpansEnd, 'itemCount' | 'isAllForbidden'>,
): ExportResult {
  if (rejected.count === 0 || rejected.count < itemCount) return { rejected, itemCount }
  const problems = rejected.lines().map((msg) => ({ loc: ['body'], msg, type: isAllForbidden ? 'forbidden' : 'value_error' }))
  throw new HttpError(isAllForbidden ? 'forbidden' : 'invalid', problems)
}
