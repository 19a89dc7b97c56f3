import { lazyPart } from '../../client/lazy-part'

/** No first rows need it: it loads after them, with the tools of the table. */
export const SavedViews = lazyPart(async () => (await import('./SavedViews')).SavedViews)
