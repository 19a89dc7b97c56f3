import { completeCalls, endCall, endProjectCall, startCall, startProjectCall, upsertCalls } from '../../../contract/call-writes'
import { HttpError } from '../../http/http-error'
import { type Preparation, type Preparer, readResult } from '../../http/prepare/preparation'
import { largeBodyRoute, type Route } from '../../http/route'
import type { CallPortion } from '../call-portion'
import { prepareComplete, prepareUpsert } from './prepare-batch'
import { type CallContext, prepareEnd, prepareProjectEnd, prepareProjectStart, prepareStart } from './prepare-calls'
import { type BatchDeps, storeBatch, unreadableCall } from './store-batch'

export type CallDeps = BatchDeps & { preparer: Preparer }

/** How SDKs of W&B Weave write calls: as start and end or complete, one by one or in batches. */
export function callRoutes(deps: CallDeps): Route[] {
  const { writer, preparer } = deps
  const storeOne = (
    endpoint: typeof startCall | typeof endCall | typeof startProjectCall | typeof endProjectCall,
    preparation: Preparation<CallContext, never, CallPortion<string> & { result: object }>,
  ) =>
    largeBodyRoute(endpoint, async ({ path, body }, context) => {
      const call = await readResult(preparer.prepare(preparation, body, { user: context.user, path }, context))
      const [error] = await writer.writeLines(call, context.reader.share)
      const part = call.items[0] ?? 'start'
      if (error) throw new HttpError('invalid', { loc: ['body', part], msg: unreadableCall, type: 'value_error' })
      return { kind: 'json', value: call.result, schema: endpoint.response }
    })
  return [
    storeOne(startCall, prepareStart),
    storeOne(endCall, prepareEnd),
    storeOne(startProjectCall, prepareProjectStart),
    storeOne(endProjectCall, prepareProjectEnd),
    largeBodyRoute(upsertCalls, async ({ path, body }, context) => {
      const portions = preparer.prepare(prepareUpsert, body, { user: context.user, path }, context)
      const { json } = await storeBatch(portions, context, deps)
      return { kind: 'json-text', text: toResponseText(json), schema: upsertCalls.response }
    }),
    largeBodyRoute(completeCalls, async ({ path, body }, context) => {
      const portions = preparer.prepare(prepareComplete, body, { user: context.user, path }, context)
      const { json, refusedCount } = await storeBatch(portions, context, deps)
      const text = refusedCount > 0 ? toResponseText(json) : '{}'
      return { kind: 'json-text', text, schema: completeCalls.response }
    }),
  ]
}

function toResponseText(results: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Buffer.from('{"res":['), results, Buffer.from(']}')])
}
