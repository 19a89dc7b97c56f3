import * as z from 'zod/mini'
import { type Owner, ownerKey } from '../../client/owner-key'
import { storedValue } from '../../client/stored-value'

const DeletedQueue = z.object({ id: z.string(), name: z.string() })
export type DeletedQueue = z.infer<typeof DeletedQueue>

const maxKept = 20

/** The queues that this tab deleted and that can be restored, newest first. They are kept over a reload. */
export function deletedQueues(owner: Owner) {
  const stored = storedValue(z.array(DeletedQueue), `spool.deleted-queues ${ownerKey(owner)}`, 'tab')
  const list = () => stored.read() ?? []
  const remove = (queueId: string) => stored.write(list().filter((queue) => queue.id !== queueId))
  return {
    list,
    add: (queue: DeletedQueue) => stored.write([queue, ...list().filter((each) => each.id !== queue.id)].slice(0, maxKept)),
    remove,
  }
}
