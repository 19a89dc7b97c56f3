import {
  deleteCalls,
  renameCall,
  completeCalls,
  endCall,
  endProjectCall,
  startCall,
  startProjectCall,
  upsertCalls,
} from '../../contract/call-writes'
import { queryCallStats } from '../../contract/call-headings'
import { listRefusedCalls, queryCalls, readCall } from '../../contract/calls'
import { createCosts, purgeCosts } from '../../contract/cost-writes'
import { queryCosts } from '../../contract/costs'
import { readBudget, updateBudget } from '../../contract/budget'
import { queryCallTree } from '../../contract/call-tree'
import type { Endpoint } from '../../contract/endpoint'
import { streamEvents } from '../../contract/events'
import { createFeedback, createFeedbackBatch, purgeFeedback, queryFeedback, replaceFeedback } from '../../contract/feedback'
import { fileCreatePaths } from '../../contract/files'
import { findMatchingCalls } from '../../contract/matching-calls'
import { createObject, deleteObject, queryObjects, readObject, readRefs } from '../../contract/objects'
import { createQueue, readQueue, streamQueues } from '../../contract/queues'
import { listProjects } from '../../contract/session'
import {
  countRowsOfTables,
  countTableRows,
  createTable,
  createTableFromDigests,
  queryTable,
  updateTable,
} from '../../contract/tables'
import { streamSpend } from '../../contract/spend'
import { searchThreads } from '../../contract/thread-search'
import { readThreadShape, streamThreadHistory } from '../../contract/thread-shape'
import { queryThreadUsage } from '../../contract/thread-usage'
import { streamThreads } from '../../contract/threads'
import { streamTurns } from '../../contract/turns'
import { createView, deleteView, queryViews, updateView } from '../../contract/views'

/**
 * The operations that are forwarded to an upstream; every other path is 404 here. Left out on purpose: sign-in codes, which
 * belong to this service; reading files and OTLP, whose responses are not text.
 */
export const forwardedOperations: readonly { method: Endpoint['method'] | 'OPTIONS'; path: string }[] = [
  queryCosts,
  streamThreads,
  createQueue,
  streamQueues,
  readQueue,
  listProjects,
  createCosts,
  purgeCosts,
  queryThreadUsage,
  streamTurns,
  searchThreads,
  findMatchingCalls,
  readThreadShape,
  streamThreadHistory,
  streamSpend,
  readBudget,
  updateBudget,
  queryCallTree,
  createView,
  queryViews,
  updateView,
  deleteView,
  streamEvents,
  queryCalls,
  queryCallStats,
  readCall,
  listRefusedCalls,
  startCall,
  endCall,
  upsertCalls,
  completeCalls,
  startProjectCall,
  endProjectCall,
  renameCall,
  deleteCalls,
  createObject,
  readObject,
  queryObjects,
  deleteObject,
  readRefs,
  createTable,
  createTableFromDigests,
  updateTable,
  queryTable,
  countTableRows,
  countRowsOfTables,
  createFeedback,
  createFeedbackBatch,
  queryFeedback,
  purgeFeedback,
  replaceFeedback,
  ...fileCreatePaths.map((path) => ({ method: 'POST', path }) as const),
  { method: 'GET', path: '/server_info' },
  { method: 'POST', path: '/graphql' },
  // The dashboard's connection test asks whether queues can be created, without creating one.
  { method: 'OPTIONS', path: createQueue.path },
]
