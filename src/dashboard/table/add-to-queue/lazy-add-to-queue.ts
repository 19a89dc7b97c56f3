import { lazyPart } from '../../client/lazy-part'

export const AddToQueue = lazyPart(async () => (await import('./AddToQueue')).AddToQueue)
