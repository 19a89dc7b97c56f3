import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { createObject, queryObjects } from './objects'
import { ReceivedInstant, ReceivedNumber, ReceivedText } from './received'

/** A version of an object as any service sends it. `val` is null where only metadata was asked for. */
export const ReceivedObject = z.object({
  object_id: z.string(),
  digest: z.string(),
  /** From 0. */
  version_index: ReceivedNumber,
  created_at: ReceivedInstant,
  base_object_class: ReceivedText,
  wb_user_id: ReceivedText,
  val: z.unknown(),
})
export type ReceivedObject = z.infer<typeof ReceivedObject>

// The versions are parsed one by one: a wrong one must not hide the others.
const ReceivedObjectList = z.object({ objs: z.array(z.unknown()) })

/** The operation `queryObjects`, for reading what any service sends. */
export const receiveObjects: ClientEndpoint<typeof queryObjects.request, typeof ReceivedObjectList, false> = {
  method: 'POST',
  path: '/objs/query',
  response: ReceivedObjectList,
  streams: false,
  places: {},
}

const StoredObject = z.object({ digest: z.string() })

/** The operation `createObject`. The service validates it, so the browser need not load its schema. */
export const storeObject: ClientEndpoint<typeof createObject.request, typeof StoredObject, false> = {
  method: 'POST',
  path: '/obj/create',
  response: StoredObject,
  streams: false,
  places: {},
}
