import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Clients } from './client-store'
import { StoreError } from './store-error'

const requestMs = 600_000

/** Connects to a ClickHouse server: http(s)://user:password@host:port/database. Rejects where it does not answer. */
export async function openServer(url: string): Promise<Clients> {
  const { base, username, password, database } = readAddress(url)
  const client = (connections: number) =>
    createClient({
      url: base,
      username,
      password,
      database,
      application: 'spool',
      request_timeout: requestMs,
      max_open_connections: connections,
      // A reader that leaves takes its statement with it even where KILL QUERY is not granted.
      clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
      log: { level: ClickHouseLogLevel.OFF },
    })
  const clients = { readers: client(32), writers: client(8), control: client(2) }
  const answer = await clients.control.ping({ select: true })
  if (answer.success) return clients
  await Promise.all(Object.values(clients).map((each) => each.close()))
  throw new StoreError('unavailable', `The ClickHouse server at ${base} does not answer: ${answer.error.message}`, {
    cause: answer.error,
  })
}

function readAddress(text: string) {
  const form = 'http(s)://user:password@host:port/database'
  // What is wrong with the address is said without the address: it holds a password.
  if (!URL.canParse(text)) throw new StoreError('failed', `The address of the ClickHouse server cannot be read. Expected ${form}`)
  const url = new URL(text)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (!/^https?:$/.test(url.protocol) || !/^\w*$/.test(database)) {
    throw new StoreError('failed', `The address of the ClickHouse server is not of the form ${form}`)
  }
  return {
    base: `${url.protocol}//${url.host}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: database || 'default',
  }
}
