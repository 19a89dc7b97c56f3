import type { Migration } from './migrate'
import { sql } from './sql'
import {
  addCallUser,
  addDeletedAt,
  addGivenName,
  addHasRareFields,
  addMessagePayloads,
  addSpanColumns,
  addStartRange,
  calls,
  callStarts,
  deletedCalls,
  dropTraceIndex,
  feedCallStarts,
  feedDeletedCalls,
  fillHasRareFields,
  fillInconsistentCalls,
  inconsistentCalls,
  keepCallColumnsTogether,
  mergeCallsSooner,
  quarantinedCalls,
  shareBlocksOfCalls,
  spanMessages,
} from './call-tables'
import { durable, keepPartsShortly, keepReplacedPartsShortly } from './durable'
import { addArchived, addReviewSettings, feedQueueAnswers, queueAnswers, queueItems, queueMarks } from './queue-tables'
import { addFeedbackQueue, feedback, fileChunks, objectVersions, tablePositions, tableRows, tables } from './sdk-tables'
import {
  feedFilterValuesOfSpentCalls,
  feedFilterValuesOfThreadCalls,
  feedThreadWords,
  fillFilterValues,
  filterValues,
  findCallsOfThreads,
  searchedBefore,
  threadCalls,
  threadWords,
} from './search-tables'
import {
  addSpendColumns,
  addTurnOfSpend,
  feedTraceCalls,
  fillSecondPasses,
  secondPasses,
  spentBefore,
  spentCalls,
  sumSpendsByThread,
  traceCalls,
} from './spend-tables'
import {
  addTurnStarts,
  countedThreads,
  dropTimedThreads,
  threads,
  threadsInSmallGranules,
  threadSpans,
  turns,
  turnsByStart,
} from './thread-tables'
import {
  dropTraceCallIds,
  dropTraceCallView,
  feedPlacedTraceCalls,
  keepTraceColumnsTogether,
  placedTraceCalls,
} from './trace-tables'
import { addCachePrices, budgets, costs, queues, views } from './user-tables'

/** Small facts that the service keeps about itself, by name. */
const markers = sql`CREATE TABLE IF NOT EXISTS markers (name String, value String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY name SETTINGS ${durable}`

/** The tables' history. Never edit the statements of a released step; add a step. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'calls, turns, threads, costs, queues', statements: [calls, turns, threads, costs, queues] },
  { number: 2, name: 'markers', statements: [markers] },
  { number: 3, name: 'spans', statements: [addSpanColumns, threadSpans] },
  {
    number: 4,
    name: 'reading calls',
    statements: [addCallUser, addCachePrices, callStarts, feedCallStarts],
    rebuilds: ['call_starts'],
  },
  {
    number: 5,
    name: 'objects, files, tables, feedback',
    statements: [objectVersions, fileChunks, tables, tablePositions, tableRows, feedback, addGivenName],
  },
  { number: 6, name: 'turns by their start', statements: [addTurnStarts, turnsByStart], rebuilds: ['turns_by_start'] },
  { number: 7, name: 'quarantined calls', statements: [quarantinedCalls] },
  { number: 8, name: 'versions of threads', statements: [dropTimedThreads, countedThreads], rebuilds: ['threads'] },
  { number: 9, name: 'deleted calls', statements: [addDeletedAt, deletedCalls, feedDeletedCalls] },
  { number: 10, name: 'messages of spans', statements: [spanMessages, addMessagePayloads] },
  { number: 11, name: 'budgets', statements: [budgets] },
  {
    number: 12,
    name: 'spends',
    statements: [addSpendColumns, traceCalls, feedTraceCalls, spentCalls, spentBefore],
    rebuilds: ['trace_calls', 'spent_calls', 'spent_before'],
  },
  {
    number: 13,
    name: 'searching threads',
    statements: [addTurnOfSpend, threadCalls, threadWords, feedThreadWords, searchedBefore],
    rebuilds: ['spent_calls', 'spent_before', 'thread_calls', 'thread_words', 'searched_before'],
  },
  { number: 14, name: 'views', statements: [views] },
  {
    number: 15,
    name: 'queue items',
    statements: [addReviewSettings, queueItems, queueMarks, addFeedbackQueue, queueAnswers, feedQueueAnswers],
  },
  {
    number: 16,
    name: 'places of calls in their traces',
    statements: [dropTraceCallView, dropTraceCallIds, placedTraceCalls, feedPlacedTraceCalls],
    rebuilds: ['trace_calls'],
  },
  {
    number: 17,
    name: 'values of filters',
    statements: [filterValues, feedFilterValuesOfThreadCalls, feedFilterValuesOfSpentCalls, ...fillFilterValues],
  },
  { number: 18, name: 'archived queues', statements: [addArchived] },
  { number: 19, name: 'traces without a second index', statements: [dropTraceIndex] },
  { number: 20, name: 'columns of calls in one file', statements: [keepCallColumnsTogether] },
  { number: 21, name: 'replaced parts for a minute', statements: keepReplacedPartsShortly },
  { number: 22, name: 'spends by thread', statements: sumSpendsByThread },
  { number: 23, name: 'threads in small granules', statements: threadsInSmallGranules, rebuilds: ['threads'] },
  { number: 24, name: 'calls of threads', statements: findCallsOfThreads },
  { number: 25, name: 'fewer parts of calls', statements: [mergeCallsSooner] },
  {
    number: 26,
    name: 'inconsistent calls',
    statements: [inconsistentCalls, keepPartsShortly('inconsistent_calls'), fillInconsistentCalls],
  },
  { number: 27, name: 'columns of traces in one file', statements: [keepTraceColumnsTogether] },
  { number: 28, name: 'rare fields of calls', statements: [addHasRareFields, fillHasRareFields] },
  {
    // Older versions may have left out calls whose derivation was stopped for a reader.
    number: 29,
    name: 'spends and words once more',
    statements: [secondPasses, keepPartsShortly('second_passes'), fillSecondPasses],
  },
  {
    number: 30,
    name: 'columns of calls in shared blocks',
    statements: shareBlocksOfCalls,
    needsSetting: 'compress_per_column_in_compact_parts',
  },
  { number: 31, name: 'starts of pieces of calls', statements: [addStartRange] },
]
