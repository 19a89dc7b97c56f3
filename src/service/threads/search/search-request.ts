import type * as z from 'zod/mini'
import type { SearchThreads } from '../../../contract/thread-search-requests'

export type SearchRequest = z.output<typeof SearchThreads>
export type SearchFilter = NonNullable<SearchRequest['filter']>
