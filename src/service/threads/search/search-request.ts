import type * as z from 'zod/mini'
import type { SearchThreads } from '../../../contract/thread-search-requests'

export type SearchRequest = z.output<typeof SearchThreads>
export type SearchFilter = NonNullable<SearchRequest['filter']>
/** The part of a request that says which threads are meant. */
export type Selection = Pick<SearchRequest, 'project_id' | 'filter'>
