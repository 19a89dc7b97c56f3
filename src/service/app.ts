import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { backupRoutes } from './backup/backup-routes'
import type { Backups } from './backup/backups'
import { CallProjects } from './calls/call-projects'
import { callQueryRoutes } from './calls/call-query-routes'
import { callTreeRoutes } from './call-tree/call-tree-routes'
import { callRoutes } from './ingest/weave/call-routes'
import { refusedCallRoutes } from './ingest/refused-call-routes'
import { RefusedCalls } from './ingest/refused-calls'
import { renameCallRoutes } from './ingest/weave/rename-call-routes'
import { costRoutes } from './pricing/cost-routes'
import { feedbackRoutes } from './weave/feedback/feedback-routes'
import { fileRoutes } from './weave/files/file-routes'
import { graphqlRoutes } from './weave/graphql/graphql-routes'
import type { UserDirectory } from './http/authenticate'
import { SignInThrottle } from './http/sign-in-throttle'
import type { Access } from './http/host-check'
import { createHttpApp } from './http/http-app'
import type { HttpEnv } from './http/http-env'
import type { RequestReader } from './http/route'
import { createInPlacePreparer } from './http/prepare/in-place-preparer'
import type { Preparer } from './http/prepare/preparation'
import { type MountDeps, mountRoutes } from './http/mount-routes'
import { type StaticFiles, serveStaticFiles } from './http/static-files'
import type { CallSink } from './ingest/call-writer'
import type { RelatedData } from './calls/list-calls'
import { readFeedbackOfCalls } from './weave/feedback/feedback-store'
import { resolveRefs } from './weave/objects/resolve-refs'
import { deleteCallRoutes } from './ingest/weave/delete-call-routes'
import { objectRoutes } from './weave/objects/object-routes'
import { otlpRoutes } from './ingest/otlp/otlp-routes'
import { SpanMessageWriter } from './ingest/span-message-writer'
import { annotationQueueRoutes } from './queues/annotation-queue-routes'
import { QueueReader } from './queues/queue-reader'
import { toHttpError } from './to-http-error'
import { sessionRoutes } from './auth/session-routes'
import { budgetRoutes } from './spend/budget/budget-routes'
import type { SpendDeriver } from './spend/spend-deriver'
import { spendRoutes } from './spend/spend-routes'
import type { Sessions } from './auth/sessions'
import type { SignInCodes } from './auth/sign-in-codes'
import type { QueryOptions, Store } from './store/store'
import { tableRoutes } from './weave/tables/table-routes'
import { threadRoutes } from './threads/thread-routes'
import { turnRoutes } from './turns/turn-routes'
import type { SearchDeriver } from './threads/search/search-deriver'
import { threadSearchRoutes } from './threads/search/thread-search-routes'
import { threadSampleRoutes } from './threads/sample/thread-sample-routes'
import { threadShapeRoutes } from './threads/shape/thread-shape-routes'
import type { EventHub } from './events/event-hub'
import { eventRoutes } from './events/event-routes'
import { viewRoutes } from './views/view-routes'
import { weaveLinks } from './weave/weave-links'
import type { TurnDeriver } from './derive/turn-deriver'

export type AppDeps = {
  store: Store
  writer: CallSink
  deriver: TurnDeriver
  spends: SpendDeriver
  searches: SearchDeriver
  events: EventHub
  backups: Backups
  users: UserDirectory
  sessions: Sessions
  signInCodes: SignInCodes
  /** The project that a sign-in link opens, if any. */
  initialProjectId: string | null
  /** Milliseconds since 1970. */
  clock: () => number
  newId: () => string
  logger: Logger
  access: Access
  /** The built dashboard; in development Vite serves it. */
  staticFiles?: StaticFiles | undefined
  /** In place, unless given: for the built service, which has worker threads. */
  preparer?: Preparer
  /** Parses every response by the contract before it is sent. For tests. */
  validateResponses?: boolean
}

/** The whole service without a port, as most tests call it. */
export function createApp(deps: AppDeps): Hono<HttpEnv> {
  const { staticFiles, logger, newId, access, validateResponses = false } = deps
  const preparer = deps.preparer ?? createInPlacePreparer({ newId })
  const app = createHttpApp({ newId, logger, toHttpError, inlineHashes: staticFiles?.inlineHashes, access })
  const refused = new RefusedCalls(deps.clock)
  const messageWriter = new SpanMessageWriter(deps.store, deps.deriver)
  const onDroppedLogRecords = (username: string, count: number) => {
    refused.addDroppedLogRecords(count)
    logger.debug({ username, count }, 'log records that are no messages of spans were dropped')
  }
  const related = relatedData(deps.store, preparer)
  const queues = new QueueReader(deps.store)
  const flushSpends = (projectId: string, reader: RequestReader) => deps.spends.flush(projectId, reader)
  const routes = [
    ...costRoutes(deps),
    ...threadRoutes({ ...deps, flushSpends }),
    ...turnRoutes({ ...deps, flushSpends }),
    ...threadSearchRoutes(deps),
    ...threadShapeRoutes(deps),
    ...threadSampleRoutes(deps),
    ...budgetRoutes(deps),
    ...spendRoutes(deps.store, deps.spends),
    ...annotationQueueRoutes({ ...deps, queues, processClock: () => performance.now(), readRefs: related.resolveRefs }),
    ...viewRoutes(deps),
    ...backupRoutes(deps),
    ...eventRoutes(deps.events),
    ...callRoutes({ ...deps, refused, preparer }),
    ...callQueryRoutes({ ...deps, related }),
    ...callTreeRoutes(deps.store),
    ...refusedCallRoutes({ ...deps, refused }),
    ...otlpRoutes({ ...deps, messageWriter, refused, preparer, onDroppedLogRecords }),
    ...renameCallRoutes(deps),
    ...deleteCallRoutes(deps),
    ...objectRoutes({ ...deps, preparer }),
    ...fileRoutes({ ...deps, preparer }),
    ...tableRoutes({ ...deps, preparer }),
    ...feedbackRoutes({
      ...deps,
      preparer,
      hasQueue: async (projectId, id, options) => (await queues.find(projectId, id, options)) !== undefined,
    }),
    ...graphqlRoutes(),
    ...sessionRoutes({ ...deps, callProjects: new CallProjects(deps.store, deps.deriver) }),
  ]
  const signInThrottle = new SignInThrottle(() => performance.now())
  const settle: NonNullable<MountDeps['settle']> = (projectId, options) => deps.writer.settle(projectId, options)
  mountRoutes(app, routes, { users: deps.users, sessions: deps.sessions, signInThrottle, settle, logger, validateResponses })
  app.route('/', weaveLinks())
  if (staticFiles) app.get('*', serveStaticFiles(staticFiles))
  return app
}

function relatedData(store: Store, preparer: Preparer) {
  return {
    // RefExpander asks for references to the project alone; what they lead to may be in another one.
    resolveRefs: (projectId: string, refs: readonly string[], options: QueryOptions) =>
      resolveRefs({ store, preparer }, refs, (each) => each === projectId, options),
    readFeedback: (projectId: string, callIds: readonly string[], options: QueryOptions) =>
      readFeedbackOfCalls(store, projectId, callIds, options),
  } satisfies RelatedData
}
