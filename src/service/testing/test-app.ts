import { pino } from 'pino'
import { createApp } from '../app'
import { loadStaticFiles, type StaticFiles } from '../http/static-files'
import { Users, type UserWithPassword } from '../auth/users'
import { CallWriter } from '../ingest/call-writer'
import { createIdGenerator } from '../lib/id-generator'
import { SignInCodes } from '../auth/sign-in-codes'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { TurnDeriver } from '../derive/turn-deriver'

export const administrator = { username: 'admin', password: 'admin-secret', projects: '*' } satisfies UserWithPassword
/** May use one project only. */
export const reviewer = {
  username: 'Rëviewer',
  password: 'réviewer: secret',
  projects: ['acme/support'],
} satisfies UserWithPassword

export function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** The whole service in memory over a real store in a fresh folder, with a clock that can be moved. */
export async function openTestApp() {
  const place = await openTemporaryStore()
  const logged: Record<string, unknown>[] = []
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs }
  const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) })
  const newId = createIdGenerator(clock.now)
  const signInCodes = new SignInCodes(clock.now)

  const create = (staticFiles?: StaticFiles) => {
    const { store } = place
    const summary = new TurnDeriver({ store, logger })
    return createApp({
      store,
      deriver: summary,
      writer: new CallWriter(store, summary),
      users: new Users([administrator, reviewer]),
      signInCodes,
      firstProjectId: null,
      clock: clock.now,
      newId,
      logger,
      validateResponses: true,
      staticFiles,
    })
  }
  let app = create()

  const send = async (path: string, init: RequestInit = {}, user: { username: string; password: string } = administrator) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', basic(user))
    return await app.request(path, { ...init, headers })
  }
  return {
    place,
    clock,
    signInCodes,
    logged,
    get app() {
      return app
    },
    send,
    /** The same service with the files of a built dashboard. */
    withPage: async (folder: string) => create(await loadStaticFiles(folder)),
    /** Posts a value as JSON, or text as it is. */
    post: (path: string, body: unknown, user = administrator as { username: string; password: string }, headers = {}) =>
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
      await place.reopen()
      app = create()
    },
    close: () => place.remove(),
  }
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/** The values of a body of JSON lines. */
export function parseJsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))
}
