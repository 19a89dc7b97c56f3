import { createApp } from '../app'
import { Sessions } from '../auth/sessions'
import { SignInCodes } from '../auth/sign-in-codes'
import { Users, type UserWithPassword } from '../auth/users'
import { createLogger } from '../create-logger'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { openInsertClock } from '../derive/watermark'
import { loadStaticFiles, type StaticFiles } from '../http/static-files'
import { CallWriter } from '../ingest/call-writer'
import { createIdGenerator } from '../lib/id-generator'
import { EventHub } from '../events/event-hub'
import { SpendDeriver } from '../spend/spend-deriver'
import { SearchDeriver } from '../threads/search/search-deriver'
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

/** The whole service in memory, with a real store in a temporary folder and a clock that tests can move. */
export async function openTestApp({ moreUsers = [] }: { moreUsers?: readonly UserWithPassword[] } = {}) {
  const temporaryStore = await openTemporaryStore()
  const errorLog: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void errorLog.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'error', isTerminal: false, destination })
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs }
  const newId = createIdGenerator(clock.now)
  const signInCodes = new SignInCodes(clock.now)
  const users = new Users([administrator, reviewer, ...moreUsers])
  const sessions = new Sessions({ users, clock: clock.now, logger, stored: [], save: async () => {} })

  let insertClock = await openInsertClock(temporaryStore.store, clock.now)
  let events: EventHub
  const create = (staticFiles?: StaticFiles) => {
    const { store } = temporaryStore
    const deriver = new TurnDeriver({ store, insertClock, logger, times: patientTimes })
    events = new EventHub({ store, deriver, logger })
    return createApp({
      store,
      deriver,
      spends: new SpendDeriver({ store, deriver, logger }),
      searches: new SearchDeriver({ store, deriver, logger }),
      events,
      writer: new CallWriter(store, deriver),
      users,
      sessions,
      signInCodes,
      initialProjectId: null,
      clock: clock.now,
      newId,
      logger,
      access: loopbackAccess,
      validateResponses: true,
      staticFiles,
    })
  }
  let app = create()

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
    get store() {
      return temporaryStore.store
    },
    get app() {
      return app
    },
    get events() {
      return events
    },
    send,
    /** The same service with the files of a built dashboard. */
    withStaticFiles: async (folder: string) => create(await loadStaticFiles(folder)),
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
      insertClock = await openInsertClock(await temporaryStore.reopen(), clock.now)
      app = create()
    },
    close: async () => {
      events.close()
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
