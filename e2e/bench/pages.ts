import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { createApp } from '../../src/service/app'
import { Sessions } from '../../src/service/auth/sessions'
import { Users } from '../../src/service/auth/users'
import { Backups } from '../../src/service/backup/backups'
import { CallWriter } from '../../src/service/ingest/call-writer'
import { createIdGenerator } from '../../src/service/lib/id-generator'
import { SignInCodes } from '../../src/service/auth/sign-in-codes'
import type { Store } from '../../src/service/store/store'
import { listThreads } from '../../src/service/threads/list-threads'
import { GrowingClock } from '../../src/service/lib/growing-clock'
import { TurnDeriver } from '../../src/service/derive/turn-deriver'
import { EventHub } from '../../src/service/events/event-hub'
import { SpendDeriver } from '../../src/service/spend/spend-deriver'
import { SearchDeriver } from '../../src/service/threads/search/search-deriver'
import { SpoolClient } from '../spool-client'
import { benchProject } from './load-calls'
import { measureInterleaved, report } from './report'
import { measurePeakGrowthMegabytes } from './service-process'

const project_id = benchProject
const user = { username: 'bench', password: 'a password for the bench' }

/** A page from SQL and the same page over HTTP, in one process so that both take turns; and the memory that pages need. */
export async function benchPages(store: Store): Promise<boolean> {
  const clock = () => Date.now()
  const logger = pino({ level: 'error' }, pino.destination(2))
  const deriver = new TurnDeriver({ store, insertClock: new GrowingClock(() => Date.now()), logger })
  const users = new Users([{ ...user, projects: '*' }])
  const app = createApp({
    store,
    deriver,
    spends: new SpendDeriver({ store, deriver, logger }),
    searches: new SearchDeriver({ store, deriver, logger }),
    events: new EventHub({ store, deriver, logger }),
    backups: new Backups({ store: {}, folder: '', clock }),
    writer: new CallWriter(store, deriver),
    users,
    sessions: new Sessions({ users, clock, logger, stored: [], save: async () => {} }),
    signInCodes: new SignInCodes(clock),
    initialProjectId: null,
    clock,
    newId: createIdGenerator(clock),
    logger: pino({ level: 'silent' }),
    access: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] },
  })
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // a server on a port has an address object
  const client = new SpoolClient(`http://127.0.0.1:${port}`, user.username, user.password)
  const fields = ['last_updated', 'p99_turn_duration_ms', 'turn_count'] as const
  const page = async (field: (typeof fields)[number]) => {
    for await (const _ of listThreads(store, { project_id, limit: 50, sort_by: [{ field, direction: 'desc' }] }));
  }
  const ms = await measureInterleaved(
    {
      'page of 50, SQL': () => page('last_updated'),
      'page of 50, HTTP': () => client.postLines('/threads/stream_query', { project_id, limit: 50 }),
    },
    15,
  )
  server.close()
  server.closeAllConnections()
  const growth = await measurePeakGrowthMegabytes(process.pid, async () => {
    for (let round = 0; round < 5; round += 1) for (const field of fields) await page(field)
  })
  const [inProcess, overHttp] = [ms['page of 50, SQL'], ms['page of 50, HTTP']]
  return report('Pages of threads', [
    { name: 'page of 50, SQL in process', value: inProcess, unit: 'ms' },
    {
      name: 'page of 50 over HTTP: twice the SQL or 3 ms more',
      value: overHttp,
      unit: 'ms',
      target: { max: Math.round(Math.max(2 * inProcess, inProcess + 3)) },
    },
    { name: 'memory that 15 pages add at most', value: growth, unit: 'MB', target: { max: 100 } },
  ])
}
