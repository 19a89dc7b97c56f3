import * as z from 'zod/mini'
import { type Owner, ownerKey } from '../client/owner-key'
import { storedValue } from '../client/stored-value'

const Created = z.object({ id: z.string(), name: z.string() })
export type CreatedQueue = z.infer<typeof Created>

/** The queues created in this tab, newest first. They are shown where the server cannot list queues. */
export function createdQueues(owner: Owner) {
  const stored = storedValue(z.array(Created), `spool.created-queues ${ownerKey(owner)}`, 'tab')
  return {
    list: () => stored.read() ?? [],
    add: (queue: CreatedQueue) =>
      stored.write([queue, ...(stored.read() ?? []).filter((each) => each.id !== queue.id)].slice(0, 50)),
  }
}
