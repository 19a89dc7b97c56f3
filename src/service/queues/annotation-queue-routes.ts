import type { Route } from '../http/route'
import { KeyedMutex } from '../lib/keyed-mutex'
import type { Store } from '../store/store'
import { ItemReviews } from './item-reviews'
import { itemRoutes } from './item-routes'
import type { QueueReader } from './queue-reader'
import { queueRoutes } from './queue-routes'
import type { ReadRefs } from './read-specs'
import { resultRoutes } from './result-routes'

export type AnnotationQueueDeps = {
  store: Store
  queues: QueueReader
  /** Milliseconds since 1970. */
  clock: () => number
  /** Milliseconds of the process, which nobody sets. */
  processClock: () => number
  newId: () => string
  readRefs: ReadRefs
}

export function annotationQueueRoutes(deps: AnnotationQueueDeps): Route[] {
  const mutex = new KeyedMutex()
  const reviews = new ItemReviews({ ...deps, mutex })
  return [
    ...queueRoutes({ ...deps, mutex }),
    ...itemRoutes({ ...deps, mutex, reviews }),
    ...resultRoutes({ ...deps, now: () => reviews.now() }),
  ]
}
