import { deleteCalls } from '../../../contract/call-writes'
import { formatInstant } from '../../../contract/instant'
import { type Route, route } from '../../http/route'
import type { Store } from '../../store/store'
import type { CallSink } from '../call-writer'
import { findSubtrees } from './find-subtrees'

type DeleteDeps = { store: Store; writer: CallSink; clock: () => number }

const callsPerWrite = 1000

export function deleteCallRoutes({ store, writer, clock }: DeleteDeps): Route[] {
  return [
    route(deleteCalls, async ({ project_id, call_ids: callIds }, { reader }) => {
      const deleted_at = formatInstant(BigInt(clock()) * 1000n)
      let deletedCount = 0
      for await (const { ids, liveCount } of findSubtrees(store, project_id, callIds, reader)) {
        for (let start = 0; start < ids.length; start += callsPerWrite) {
          // Writes tombstones: parts of the calls that have nothing but the time.
          const rows = ids.slice(start, start + callsPerWrite).map((id) => ({ project_id, id, deleted_at }))
          await writer.write(rows, reader.share)
        }
        deletedCount += liveCount
      }
      return { num_deleted: deletedCount }
    }),
  ]
}
