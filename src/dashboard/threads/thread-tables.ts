import type * as z from 'zod/mini'
import { receiveFoundThreads } from '../../contract/received-thread-search'
import { receiveThreads } from '../../contract/received-threads'
import type { SearchThreads } from '../../contract/thread-search-requests'
import { callSortFields, threadSortFields } from '../../contract/threads'
import type { RowSource } from '../client/row-source'
import { streamedRows } from '../client/streamed-rows'
import type { RemoteTableDefinition } from '../table/view/use-remote-table'
import {
  foundThreadColumns,
  type ListedThread,
  threadColumns,
  threadColumnsWithCalls,
  type ThreadDisplay,
} from './thread-columns'

type SearchInput = z.input<typeof SearchThreads>
type ThreadSource = RowSource<SearchInput, ListedThread>
export type SortField = (typeof threadSortFields)[number] | (typeof callSortFields)[number]
type ThreadTable = RemoteTableDefinition<ListedThread, ThreadDisplay, SearchInput, SortField>

// The page asks for a list only what a list can do.
const listed = streamedRows(receiveThreads) as unknown as ThreadSource
const found = streamedRows(receiveFoundThreads) as ThreadSource

const common = {
  // Beside it, p50 and p99 have room at 200 % zoom.
  minFirstWidth: 146,
  name: 'threads',
  label: 'Threads',
  topic: 'threads' as const,
  getRowId: ({ thread_id }: ListedThread) => thread_id,
  exportPageSize: 2000,
}

/** Any service has it. */
export const listTable: ThreadTable = { ...common, columns: threadColumns, source: listed, sortableIds: threadSortFields }

const allSortFields = [...threadSortFields, ...callSortFields]

/** The same list where the service also knows the calls of threads; sorted by their figures it is a search. */
export const listWithCallsTable: ThreadTable = {
  ...common,
  columns: threadColumnsWithCalls,
  source: listed,
  sortableIds: allSortFields,
}

export const searchTable: ThreadTable = { ...common, columns: foundThreadColumns, source: found, sortableIds: allSortFields }
