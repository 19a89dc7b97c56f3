import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Clients } from './client-store'
import type { EngineSession } from './engine-session'
import { EngineThread } from './engine-thread'
import { createSessionConnection } from './session-connection'
import { SessionPool } from './session-pool'
import { toLaneLimits, toScanLimits } from './lane-limits'
import { StoreError } from './store-error'

const cores = cpus().length
/**
 * Two cores serve eight short reads at once. Scans are long: more of them than cores would only make each of them longer.
 * Writes: two inserts of calls, four steps of the derivation of turns, and a few of all else.
 */
const laneLimits = { read: toLaneLimits(Math.max(8, 2 * cores)), scan: toScanLimits(cores), write: toLaneLimits(8) }
// Sessions that are being cleaned do not count as held.
const spareSessions = 4
const readerSessions = laneLimits.read.maxHeld + laneLimits.scan.maxHeld + spareSessions
const writerSessions = laneLimits.write.maxHeld + spareSessions
const controlSessions = 1
const mebibyte = 1024 * 1024

export type EngineOptions = {
  /** How much memory the engine may use in all; by default 40 % of the machine's, 4 GiB at most. */
  maxMemoryBytes?: number | undefined
  /** Built JavaScript that calls `serveEngine`; without it the engine runs in the thread of the caller. */
  workerUrl?: URL | undefined
}

/** Opens the embedded engine on a folder. Rejects with a `StoreError` whose message is for the person who starts the service. */
export async function openEngine(
  folder: string,
  { maxMemoryBytes = defaultMaxMemoryBytes(), workerUrl }: EngineOptions = {},
): Promise<Clients> {
  await loadEngine()
  const storeFolder = join(folder, 'store')
  const configPath = join(folder, 'engine.xml')
  const creationPath = join(folder, creationName)
  requireStoreOfConfiguration(folder)
  try {
    requireFreeSpace(folder)
    mkdirSync(storeFolder, { recursive: true, mode: 0o700 })
    accessSync(storeFolder, constants.R_OK | constants.W_OK)
    if (!existsSync(configPath)) writeFileSync(creationPath, '', { mode: 0o600 })
    writeFileSync(configPath, engineConfig(maxMemoryBytes), { mode: 0o600 })
    chmodSync(configPath, 0o600)
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError('failed', `The data folder ${folder} cannot be written: ${toMessage(error)}`, { cause: error })
  }
  const engine = new EngineThread({ storeFolder, configPath }, { workerUrl })
  const firstSession = await openFirstSession(engine, folder)
  const pool = (maxSessions: number) => new SessionPool(maxSessions, () => engine.openSession())
  const client = (sessions: SessionPool, isCollecting = false) =>
    createClient({ connection: createSessionConnection(sessions, isCollecting), log: { level: ClickHouseLogLevel.OFF } })
  const readers = pool(readerSessions)
  const writers = pool(writerSessions)
  return {
    readers: client(readers),
    writers: client(writers),
    collectors: { readers: client(readers, true), writers: client(writers, true) },
    control: client(pool(controlSessions)),
    laneLimits,
    scanThreads: Math.max(1, Math.floor(cores / 2)),
    drain: () => {
      // The engine stays open while it has a session.
      firstSession.close()
      // A closed session is destroyed only when the engine has left it. Ending the process before that crashes it.
      return engine.end()
    },
  }
}

/** Its errors are those of the folder. */
async function openFirstSession(engine: EngineThread, folder: string): Promise<EngineSession> {
  try {
    const session = await engine.openSession()
    await session.run('SELECT 1')
    return session
  } catch (error) {
    await engine.end()
    // The engine prints the reason to standard error only. On a writable folder it is nearly always the lock.
    throw new StoreError(
      'unavailable',
      `The data folder ${folder} is in use by another Spool, or the engine cannot read it. One process owns a folder at a time.`,
      { cause: error },
    )
  }
}

/** A file that is there until the first start has created the tables: a start that is interrupted then has lost nothing. */
const creationName = 'store.creating'

/** Call it when the tables are there. From then on a folder without them has lost its store. */
export function markAsCreated(folder: string): void {
  rmSync(join(folder, creationName), { force: true })
}

/** A disk of its own for the store may not be mounted. An empty store in its place would look as if everything were lost. */
function requireStoreOfConfiguration(folder: string): void {
  if (!existsSync(join(folder, 'engine.xml')) || existsSync(join(folder, 'store', 'metadata'))) return
  if (existsSync(join(folder, creationName))) return
  throw new StoreError(
    'failed',
    `The data folder ${folder} had a store, but ${join(folder, 'store')} is empty or missing. Mount or restore it. ` +
      'To begin with an empty store, delete engine.xml there.',
  )
}

/** The engine reserves this much before it writes anything. */
const minFreeBytes = mebibyte

function requireFreeSpace(folder: string): void {
  if (!existsSync(folder)) return // it is created next
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  if (freeBytes >= minFreeBytes) return
  throw new StoreError('unavailable', `The disk of the data folder ${folder} is full (${freeBytes} bytes free). Free some space.`)
}

/**
 * Loads the engine's library into the process. It must stay loaded when the thread that uses it ends: unloading it crashes
 * the process, because the engine has threads of its own.
 */
async function loadEngine(): Promise<void> {
  try {
    // Not at the top of the file: on a platform without the engine the import itself throws.
    await import('chdb')
  } catch (error) {
    throw new StoreError(
      'unavailable',
      `The embedded store has no build for this platform (${process.platform}-${process.arch}) or is not installed. ` +
        'Set SPOOL_STORE to a ClickHouse server: http(s)://user:password@host:8123/database',
      { cause: error },
    )
  }
}

/**
 * By default the engine writes a table of less than some megabytes anew with each small part that comes: what may be merged it
 * cuts down to the large part and one small one. 300 inserts of ten rows made it merge two million rows, 0.7 million without
 * that, and 0.4 million where it also waits for ten parts instead of five.
 *
 * The engine looks for parts that a merge has replaced every 5 to 15 s. By default it does so every 30 to 300 s, and after some
 * thousand requests over a thousand of them still took memory.
 *
 * By default each merge also counts the different values of every column, which helps no statement here. 'basic' keeps the lowest and the
 * highest value: so a statement that looks for new calls leaves out whole parts.
 */
const mergeSettings = `<merge_tree>
    <merge_selector_enable_heuristic_to_remove_small_parts_at_right>0</merge_selector_enable_heuristic_to_remove_small_parts_at_right>
    <merge_selector_base>10</merge_selector_base>
    <auto_statistics_types>basic</auto_statistics_types>
    <cleanup_delay_period>5</cleanup_delay_period>
    <max_cleanup_delay_period>15</max_cleanup_delay_period>
  </merge_tree>`

/**
 * More idle threads than this end. By default a thousand wait for work: after 30,000 requests there were 180, and each kept
 * about 300 kB of freed memory for itself.
 */
const maxIdleThreads = 32

/** The engine's defaults (90 % of the memory, 5 GB of mark cache) suit a machine that runs nothing else. */
function defaultMaxMemoryBytes(): number {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
  return Math.floor(Math.min(4096 * mebibyte, memory * 0.4))
}

/**
 * Which part of the memory is for marks: where in the files the rows are. Every page needs them, so all have to fit. A million small calls
 * have 1.4 MB of them, calls with large payloads more. With 128 MB, the calls of a trace among a hundred million calls took 190 to 500 ms
 * instead of 24 to 31.
 */
const markCacheShare = 4

function engineConfig(maxMemoryBytes: number): string {
  return `<clickhouse>
  <max_server_memory_usage>${maxMemoryBytes}</max_server_memory_usage>
  <max_thread_pool_free_size>${maxIdleThreads}</max_thread_pool_free_size>
  <mark_cache_size>${Math.floor(maxMemoryBytes / markCacheShare)}</mark_cache_size>
  <primary_index_cache_size>${128 * mebibyte}</primary_index_cache_size>
  ${mergeSettings}
</clickhouse>
`
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
