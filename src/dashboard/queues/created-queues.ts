import * as z from 'zod/mini'
import type { Connection } from '../client/connection'
import { storedValue } from '../client/stored-value'

const Created = z.object({ id: z.string(), name: z.string() })
export type CreatedQueue = z.infer<typeof Created>

/** The queues created in this tab, newest first. They are shown where the server cannot list queues. */
export function createdQueues({ id, projectId }: Pick<Connection, 'id' | 'projectId'>) {
  const stored = storedValue(z.array(Created), `spool.created-queues ${id} ${projectId}`, 'tab')
  return {
    list: () => stored.read() ?? [],
    add: (queue: CreatedQueue) =>
      stored.write([queue, ...(stored.read() ?? []).filter((each) => each.id !== queue.id)].slice(0, 50)),
  }
}
