import { listRefusedCalls } from '../../contract/calls'
import { formatInstant } from '../../contract/instant'
import { listQuarantined } from '../derive/quarantine'
import { requireAdministrator } from '../http/require-administrator'
import { type Route, route } from '../http/route'
import type { Store } from '../store/store'
import type { RefusedCalls } from './refused-calls'

export function refusedCallRoutes({ store, refused }: { store: Store; refused: RefusedCalls }): Route[] {
  return [
    route(listRefusedCalls, async (_, { user, reader }) => {
      requireAdministrator(user, 'list refused calls')
      const latest = refused.latest.map(({ atMs, username, problem }) => ({
        at: formatInstant(BigInt(atMs) * 1000n),
        username,
        problem,
      }))
      const quarantined = await listQuarantined(store, reader)
      return { count: refused.count, latest, dropped_log_record_count: refused.droppedLogRecordCount, quarantined }
    }),
  ]
}
