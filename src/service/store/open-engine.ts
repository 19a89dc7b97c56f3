import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Session } from 'chdb'
import type { Clients } from './client-store'
import { createSessionConnection } from './session-connection'
import { SessionPool } from './session-pool'
import { toLaneLimits, toScanLimits } from './lane-limits'
import { StoreError } from './store-error'

const cores = cpus().length
/**
 * Two cores serve eight short reads at once. Scans are long: more of them than cores would only make each of them longer.
 * Writes: an insert of calls, the derivation, and a few of objects, tables, files or feedback.
 */
const laneLimits = { read: toLaneLimits(Math.max(8, 2 * cores)), scan: toScanLimits(cores), write: toLaneLimits(6) }
// Sessions that are being cleaned do not count as held.
const spareSessions = 4
const readerSessions = laneLimits.read.maxHeld + laneLimits.scan.maxHeld + spareSessions
const writerSessions = laneLimits.write.maxHeld + spareSessions
const controlSessions = 1
const mebibyte = 1024 * 1024

/** Opens the embedded engine on a folder. Rejects with a `StoreError` whose message is for the person who starts the service. */
export async function openEngine(folder: string, maxMemoryBytes = defaultMaxMemoryBytes()): Promise<Clients> {
  const SessionOfChdb = await importSession()
  const enginePath = join(folder, 'store')
  const configPath = join(folder, 'engine.xml')
  try {
    mkdirSync(enginePath, { recursive: true, mode: 0o700 })
    accessSync(enginePath, constants.R_OK | constants.W_OK)
    writeFileSync(configPath, engineConfig(maxMemoryBytes), { mode: 0o600 })
    chmodSync(configPath, 0o600)
  } catch (error) {
    throw new StoreError('failed', `The data folder ${folder} cannot be written: ${toMessage(error)}`, { cause: error })
  }
  const open = (): Session => {
    try {
      return new SessionOfChdb(enginePath, { connectionArgs: [`--config-file=${configPath}`] })
    } catch (error) {
      // The engine prints the reason to standard error only. On a writable folder it is nearly always the lock.
      throw new StoreError(
        'unavailable',
        `The data folder ${folder} is in use by another Spool, or the engine cannot read it. One process owns a folder at a time.`,
        { cause: error },
      )
    }
  }
  const client = (maxSessions: number) =>
    createClient({
      connection: createSessionConnection(new SessionPool(maxSessions, open)),
      log: { level: ClickHouseLogLevel.OFF },
    })
  return {
    readers: client(readerSessions),
    writers: client(writerSessions),
    control: client(controlSessions),
    laneLimits,
    scanThreads: Math.max(1, Math.floor(cores / 2)),
  }
}

async function importSession(): Promise<typeof Session> {
  try {
    // Not at the top of the file: on a platform without the engine the import itself throws.
    const chdb = await import('chdb')
    return chdb.Session
  } catch (error) {
    throw new StoreError(
      'unavailable',
      `The embedded store has no build for this platform (${process.platform}-${process.arch}) or is not installed. ` +
        'Set SPOOL_STORE to a ClickHouse server: http(s)://user:password@host:8123/database',
      { cause: error },
    )
  }
}

/** The engine's defaults (90 % of the memory, 5 GB of mark cache) suit a machine that runs nothing else. */
function defaultMaxMemoryBytes(): number {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
  return Math.floor(Math.min(4096 * mebibyte, memory * 0.4))
}

function engineConfig(maxMemoryBytes: number): string {
  return `<clickhouse>
  <max_server_memory_usage>${maxMemoryBytes}</max_server_memory_usage>
  <mark_cache_size>${128 * mebibyte}</mark_cache_size>
  <primary_index_cache_size>${128 * mebibyte}</primary_index_cache_size>
</clickhouse>
`
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
