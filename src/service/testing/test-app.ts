import { join } from 'node:path'
import { createApp } from '../app'
import { Sessions } from '../auth/sessions'
import { SignInCodes } from '../auth/sign-in-codes'
import { Backups } from '../backup/backups'
import { Users, type UserWithPassword } from '../auth/users'
import { createLogger } from '../create-logger'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { openInsertClock } from '../derive/watermark'
import { loadStaticFiles, type StaticFiles } from '../http/static-files'
import { CallWriter } from '../ingest/call-writer'
import { CallJournal } from '../ingest/journal/call-journal'
import { JournaledWriter } from '../ingest/journaled-writer'
import { createIdGenerator } from '../lib/id-generator'
import { createSteadyClock } from '../lib/steady-clock'
import { EventHub } from '../events/event-hub'
import { SpendDeriver } from '../spend/spend-deriver'
import { SearchDeriver } from '../threads/search/search-deriver'
import type { Store } from '../store/store'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { loopbackAccess } from './loopback-access'

type Credentials = { username: string; password: string }

export const administrator = { username: 'admin', password: 'admin-secret', projects: '*' } satisfies UserWithPassword
/** Has access to one project only. */
export const reviewer = {
  username: 'Rëviewer',
  password: 'réviewer: secret',
  projects: ['acme/support'],
} satisfies UserWithPassword

/** The Authorization header of a user. */
export function basic({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Knows which projects to ask for before a test looks into the store. */
class RecordingWriter extends JournaledWriter {
  readonly projectIds = new Set<string>()

  override async writeLines(...write: Parameters<JournaledWriter['writeLines']>) {
    for (const projectId of write[0].projectIds) this.projectIds.add(projectId)
    return await super.writeLines(...write)
  }
}

type TestAppOptions = {
  maxInsertDelayMs?: number
  moreUsers?: readonly UserWithPassword[]
  initialProjectId?: string
}

/**
 * The whole service in memory, with a real store in a temporary folder and a clock that tests can move. Acknowledged calls
 * are inserted when a route asks for them: the delay is so long that no test passes by waiting.
 */
export async function openTestApp({ maxInsertDelayMs = 600_000, moreUsers = [], initialProjectId }: TestAppOptions = {}) {
  const temporaryStore = await openTemporaryStore()
  const errorLog: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void errorLog.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'error', isTerminal: false, destination })
  // The machine's clock may be set back in the middle of a test.
  const steadyClock = createSteadyClock(
    () => Date.now(),
    () => performance.now(),
  )
  const clock = { offsetMs: 0, now: () => Math.floor(steadyClock()) + clock.offsetMs }
  const newId = createIdGenerator(clock.now)
  const signInCodes = new SignInCodes(clock.now)
  const users = new Users([administrator, reviewer, ...moreUsers])
  const sessions = new Sessions({ users, clock: clock.now, logger, stored: [], save: async () => {} })

  let insertClock = await openInsertClock(temporaryStore.store, clock.now)
  let events: EventHub
  let writer: RecordingWriter
  const create = async (staticFiles?: StaticFiles) => {
    const { store, folder } = temporaryStore
    const deriver = new TurnDeriver({ store, insertClock, logger, times: patientTimes })
    events = new EventHub({ store, deriver, logger })
    const direct = new CallWriter(store, deriver, {
      delays: { maxMs: maxInsertDelayMs, maxQuietMs: maxInsertDelayMs },
    })
    writer = new RecordingWriter({
      store,
      writer: direct,
      journal: await CallJournal.open(join(folder, 'journal'), logger),
      logger,
    })
    writer.replay()
    return createApp({
      store,
      deriver,
      spends: new SpendDeriver({ store, deriver, logger }),
      searches: new SearchDeriver({ store, deriver, logger }),
      events,
      backups: new Backups({ store, folder, clock: clock.now }),
      writer,
      users,
      sessions,
      signInCodes,
      initialProjectId: initialProjectId ?? null,
      clock: clock.now,
      newId,
      logger,
      access: loopbackAccess,
      validateResponses: true,
      staticFiles,
    })
  }
  let app = await create()

  const send = async (path: string, init: RequestInit = {}, user: Credentials = administrator) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', basic(user))
    return await app.request(path, { ...init, headers })
  }
  return {
    clock,
    signInCodes,
    /** What was logged at level error. */
    errorLog,
    /** Its queries see every call that was acknowledged. */
    get store(): Store {
      const { store } = temporaryStore
      return {
        ...store,
        query: async (...query) => {
          await Promise.all([...writer.projectIds].map((projectId) => writer.settle(projectId)))
          return await store.query(...query)
        },
      }
    },
    get app() {
      return app
    },
    get events() {
      return events
    },
    send,
    /** The same service with the files of a built dashboard. */
    withStaticFiles: async (folder: string) => await create(await loadStaticFiles(folder)),
    /** Posts text as it is, any other value as JSON. */
    post: (path: string, body: unknown, user: Credentials = administrator, headers = {}) =>
      send(
        path,
        {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        },
        user,
      ),
    /** Closes the store and opens it again, as a restart does. */
    restart: async () => {
      await writer.close()
      insertClock = await openInsertClock(await temporaryStore.reopen(), clock.now)
      app = await create()
    },
    close: async () => {
      events.close()
      await writer.close()
      await temporaryStore.remove()
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/** The values of a JSON lines body. */
export function parseJsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))
}
