import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Clients } from './client-store'
import { toLaneLimits, toScanLimits } from './lane-limits'
import { StoreError } from './store-error'

const requestTimeoutMs = 600_000
const laneLimits = { read: toLaneLimits(24), scan: toScanLimits(8), write: toLaneLimits(8) }

/**
 * The first version that has all that Spool uses. `caseFoldUTF8`, by which words are searched, is of 26.3 (`introduced_in` of
 * `system.functions`); text indexes need no setting since 26.2. The tests use the embedded engine, 26.7.
 */
const oldestVersion = [26, 3] as const

/**
 * Connects to a ClickHouse server: http(s)://user:password@host:port/database. Rejects with a `StoreError` if the server does
 * not answer or is too old.
 */
export async function openServer(url: string): Promise<Clients> {
  const { base, username, password, database } = parseUrl(url)
  const client = (maxConnections: number) =>
    createClient({
      url: base,
      username,
      password,
      database,
      application: 'spool',
      request_timeout: requestTimeoutMs,
      max_open_connections: maxConnections,
      // Ends the statement of a closed connection, also where the account may not KILL QUERY.
      clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
      log: { level: ClickHouseLogLevel.OFF },
    })
  const clients = {
    readers: client(laneLimits.read.maxHeld + laneLimits.scan.maxHeld),
    writers: client(laneLimits.write.maxHeld),
    control: client(2),
  }
  try {
    requireVersion(await readVersion(clients.control), base)
    return { ...clients, laneLimits, scanThreads: undefined }
  } catch (error) {
    await Promise.all(Object.values(clients).map((each) => each.close()))
    if (error instanceof StoreError) throw error
    const problem = error instanceof ClickHouseError ? 'answers with an error' : 'does not answer'
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreError('unavailable', `The ClickHouse server at ${base} ${problem}: ${reason}`, { cause: error })
  }
}

async function readVersion(client: ClickHouseClient): Promise<string> {
  const result = await client.query({ query: 'SELECT version()', format: 'TabSeparated' })
  return (await result.text()).trim()
}

/** A server that names its version in another way is given a try. */
function requireVersion(version: string, base: string): void {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? []
  const [oldestMajor, oldestMinor] = oldestVersion
  if (major === undefined || Number(major) > oldestMajor) return
  if (Number(major) === oldestMajor && Number(minor) >= oldestMinor) return
  throw new StoreError(
    'failed',
    `The ClickHouse server at ${base} has version ${version}, but Spool needs ${oldestVersion.join('.')} or later.`,
  )
}

function parseUrl(text: string) {
  const form = 'http(s)://user:password@host:port/database'
  // The messages leave the address out, because it contains a password.
  if (!URL.canParse(text)) throw new StoreError('failed', `The address of the ClickHouse server cannot be read. Expected ${form}`)
  const url = new URL(text)
  const database = decode(url.pathname.slice(1))
  if (!/^https?:$/.test(url.protocol) || !/^\w*$/.test(database)) {
    throw new StoreError('failed', `The address of the ClickHouse server is not of the form ${form}`)
  }
  return {
    base: `${url.protocol}//${url.host}`,
    username: decode(url.username) || 'default',
    password: decode(url.password),
    database: database || 'default',
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    const msg = "The address of the ClickHouse server has a '%' that escapes nothing. In a user name or password write it as %25."
    throw new StoreError('failed', msg)
  }
}
