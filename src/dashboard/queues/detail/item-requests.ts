import * as z from 'zod/mini'
import { queryQueueItems, QueueItem } from '../../../contract/queue-items'
import { listedRows } from '../../client/row-source'

/** Each item is parsed by itself, so that an unreadable one hides no other. */
const receiveQueueItems = { ...queryQueueItems, response: z.object({ items: z.array(z.unknown()) }) }

export const itemRows = listedRows(receiveQueueItems, QueueItem, ({ items }) => items)
