import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { AppDeps } from './app'
import { Backups, removeUnfinishedBackup, requireFinishedBackup } from './backup/backups'
import { bundledCatalog, syncCatalog } from './pricing/sync-catalog'
import { Users, type UserWithPassword } from './auth/users'
import { CallWriter } from './ingest/call-writer'
import type { InsertDelays } from './ingest/call-writer-limits'
import { CallJournal } from './ingest/journal/call-journal'
import { PacedWriter } from './ingest/paced-writer'
import { JournaledWriter } from './ingest/journaled-writer'
import { recoverDerived } from './derive/recover-derived'
import { createIdGenerator } from './lib/id-generator'
import { createSteadyClock } from './lib/steady-clock'
import { sampleProjectId, writeSample } from './sample/write-sample'
import { Sessions } from './auth/sessions'
import { readSessionsFile, writeSessionsFile } from './auth/sessions-file'
import { SignInCodes } from './auth/sign-in-codes'
import { createUsersFile, createDataFolder, readUsersFile, requirePrivateUsersFile } from './auth/users-file'
import type { Settings } from './settings'
import { StartError } from './lib/start-error'
import { EventHub } from './events/event-hub'
import { SpendDeriver } from './spend/spend-deriver'
import { openStore } from './store/open-store'
import { sql } from './store/sql'
import type { Store } from './store/store'
import { StoreError } from './store/store-error'
import { SearchDeriver } from './threads/search/search-deriver'
import { WriterPace } from './derive/writer-pace'
import { TurnDeriver } from './derive/turn-deriver'
import { openInsertClock } from './derive/watermark'
import { rebuildDerived } from './derive/rebuild-derived'

/** What stays open between requests. */
export type Service = {
  deps: Omit<AppDeps, 'staticFiles'>
  /** Lines to print once the service listens at `url`: how to sign in. */
  greeting: (url: string) => string[]
  close: () => Promise<void>
}

// What is not derived when the process ends is derived after the next start.
const maxFlushMs = 2000
/**
 * An insert and what is derived of it make a hundred files or so, for one call as for a thousand. Who wants to read ends the delay;
 * an open page is told of new calls after it.
 */
const insertDelays: InsertDelays = { maxMs: 500, maxQuietMs: 2000 }

export type ServiceOptions = {
  signal?: AbortSignal
  /** See `EngineOptions.workerUrl`. */
  engineUrl?: URL
}

/**
 * Opens the store and the users and brings both up to date. Throws a `StartError`, whose message is one line, if it cannot.
 * Aborting `signal` ends the start: it rejects, with the store closed.
 */
export async function openService(
  settings: Settings,
  logger: Logger,
  { signal, engineUrl }: ServiceOptions = {},
): Promise<Service> {
  const folder = resolve(settings.dataFolder)
  requireFinishedBackup(folder)
  await createDataFolder(folder, logger)
  // Before the store, which takes long to open and is not to be changed by a start that fails.
  const storedUsers = await readStoredUsers(folder, settings, logger)
  const location = settings.storeUrl === undefined ? { folder, workerUrl: engineUrl } : { url: settings.storeUrl }
  const store = await openStore(location, rebuildDerived, { signal, logger }).catch((error: unknown) => {
    throw error instanceof StoreError ? new StartError(error.message) : error
  })
  const closeStore = () => void store.close()
  signal?.addEventListener('abort', closeStore, { once: true })
  try {
    await removeUnfinishedBackup(folder)
    const clock = () => Date.now()
    const { isFirst, ...changes } = await syncCatalog(store, await bundledCatalog(), clock())
    // A first start stores the whole list and most others nothing: no news, and it would stand among the lines for people.
    const isNews = !isFirst && changes.writtenCount + changes.deletedCount > 0
    logger[isNews ? 'info' : 'debug'](changes, 'price catalog updated')
    const signInCodes = new SignInCodes(() => performance.now())
    const deriver = new TurnDeriver({ store, insertClock: await openInsertClock(store, clock), logger })
    const pace = new WriterPace()
    const spends = new SpendDeriver({ store, deriver, logger, pace })
    const searches = new SearchDeriver({ store, deriver, logger, pace })
    const derivers = [spends, searches]
    const directWriter = new CallWriter(store, deriver, {
      deriveShared: async (callIds) => void (await Promise.all(derivers.map((each) => each.deriveCalls(callIds)))),
      delays: insertDelays,
    })
    // Other copies of the service would not see what is in the journal of this one.
    const ownWriter = store.isShared ? directWriter : await openJournaledWriter(folder, { store, writer: directWriter, logger })
    const writer = new PacedWriter(ownWriter, pace)
    for (const each of derivers) each.start()
    void recoverDerived(store, deriver) // beside everything else; it never rejects
    // Before the first request, so that the first page is not empty. It takes less than a second.
    if (settings.hasSample) await writeSample(store, writer, clock())
    const { users: usersWithPasswords, greeting } = await loadUsers(folder, settings, storedUsers, signInCodes)
    const users = new Users(usersWithPasswords)
    const sessions = await openSessions(folder, users, logger)
    const newId = createIdGenerator(clock, await readNewestId(store))
    return {
      deps: {
        store,
        writer,
        deriver,
        spends,
        searches,
        events: new EventHub({ store, deriver, logger }),
        backups: new Backups({ store, folder, clock }),
        users,
        sessions,
        signInCodes,
        initialProjectId: settings.hasSample ? sampleProjectId : null,
        clock,
        newId,
        logger,
        access: settings,
      },
      greeting,
      close: async () => {
        const flush = writer.close().catch((err: unknown) => logger.warn({ err }, 'turns are derived after the next start'))
        await Promise.race([Promise.all([flush, ...derivers.map((each) => each.close())]), wait(maxFlushMs)])
        await sessions.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error instanceof StoreError ? new StartError(error.message) : error
  } finally {
    signal?.removeEventListener('abort', closeStore)
  }
}

async function openJournaledWriter(folder: string, deps: Omit<ConstructorParameters<typeof JournaledWriter>[0], 'journal'>) {
  const journalFolder = join(folder, 'journal')
  const journal = await CallJournal.open(journalFolder, deps.logger).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The folder ${journalFolder} cannot be used: ${reason}`)
  })
  const writer = new JournaledWriter({ ...deps, journal })
  writer.replay()
  return writer
}

async function openSessions(folder: string, users: Users, logger: Logger): Promise<Sessions> {
  const clock = createSteadyClock(
    () => Date.now(),
    () => performance.now(),
  )
  const stored = await readSessionsFile(folder, clock(), logger)
  return new Sessions({ users, clock, logger, stored, save: (file) => writeSessionsFile(folder, file) })
}

const IdRow = z.object({ id: z.string() })

/** The greatest id among the rows whose ids say which is newer; '' in an empty store. */
async function readNewestId(store: Store): Promise<string> {
  const statement = sql`SELECT max(id) AS id FROM (SELECT id FROM costs WHERE project_id != '' UNION ALL SELECT id FROM queues)`
  const [row] = await store.query(statement, IdRow)
  return row?.id ?? ''
}

/** The users of users.json, undefined without this file. They are checked together with the user of the settings. */
async function readStoredUsers(folder: string, { username, password }: Settings, logger: Logger) {
  await requirePrivateUsersFile(folder, logger)
  const stored = await readUsersFile(folder)
  const isTaken = (stored ?? []).some((user) => user.username !== username && user.password === password)
  if (username !== undefined && isTaken) {
    throw new StartError(
      'SPOOL_PASSWORD is the password of another user in users.json, but a password alone must identify one user.',
    )
  }
  return stored
}

async function loadUsers(
  folder: string,
  { username, password }: Settings,
  stored: UserWithPassword[] | undefined,
  signInCodes: SignInCodes,
) {
  if (username !== undefined && password !== undefined) {
    const administrator: UserWithPassword = { username, password, projects: '*' }
    const others = (stored ?? []).filter((user) => user.username !== username)
    return { users: [administrator, ...others], greeting: () => [] }
  }
  const users = stored ?? [await createUsersFile(folder)]
  const administrator = users.find(({ projects }) => projects === '*')
  const greeting = (url: string) => {
    if (!administrator) return []
    // The password is shown once. A first start that fails after this has told nobody, so each start tells where it is.
    const secret = stored
      ? `password in ${folder}/users.json`
      : `password: ${administrator.password} (stored in ${folder}/users.json)`
    return [
      `Administrator: ${administrator.username}, ${secret}`,
      `Sign in within ten minutes: ${url}/#code=${signInCodes.issue(administrator)}`,
    ]
  }
  return { users, greeting }
}
