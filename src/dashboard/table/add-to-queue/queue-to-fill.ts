import * as z from 'zod/mini'
import { type Owner, ownerKey } from '../../client/owner-key'
import { storedValue } from '../../client/stored-value'

export const ExistingQueue = z.object({ id: z.string(), name: z.string() })

/** The queue whose page sent this person to choose turns for it. The dialog proposes it, until calls are added to a queue. */
export function queueToFill(owner: Owner) {
  return storedValue(ExistingQueue, `spool.queue-to-fill ${ownerKey(owner)}`, 'tab')
}
