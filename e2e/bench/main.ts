import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Store } from '../../src/service/store/store'
import { openStore } from '../../src/service/store/open-store'
import { benchBrowser } from './browser'
import { benchCalls } from './calls'
import { benchCrashes } from './crashes/crashes'
import { benchEngine } from './engine'
import { benchFairness } from './fairness/fairness'
import { benchGrowth } from './growth/growth'
import { benchHttp } from './http'
import { benchIngest } from './ingest'
import { benchInteractions } from './interactions'
import { loadCalls } from './load-calls'
import { loadConversations } from './load-conversations'
import { benchPages } from './pages'
import { benchPercentiles } from './percentiles'
import { benchQueues } from './queues'
import { benchShape } from './shape'
import { benchSpend } from './spend'
import { benchSteady } from './steady'
import { benchStorm } from './storm'
import { benchStreaming } from './streaming'
import { benchText } from './text'
import { benchThreads } from './threads'
import { benchWrites } from './writes'
import { rebuildDerived } from '../../src/service/derive/rebuild-derived'

const help = `npm run bench -- [options]
  --calls <size>        how many calls the store of the thread list holds: 100k, 1m, 10m; for growth also 100m (1m)
  --only <part,...>     run only these: threads, shape, spend, text, queues, engine, writes, http, ingest, crash, browser, fairness,
                        storm, steady, interactions, growth
  --text <gigabytes>    how much text is searched (10); it runs only when it is named
  --crash <rounds>      how many times the service is killed under a load of every kind, half of them also during a start (20)
  --attack <text>       of fairness, only the attacks whose name contains this
  --service <folder>    of fairness, storm and steady, the built checkout whose service is measured (this one)
  --browser             run Lighthouse too; takes some minutes

fairness measures what a person notices while another user attacks the service. It takes six minutes and runs only when it is
named. Each row is an attack of ten seconds. Beside it, another user and another project of the attacker send five reads and
five writes a second each.
storm measures how much memory the service keeps after 30,000 requests of every kind. It runs only when it is named, for up to
ten minutes after the last request.
steady measures the processor time of the service while nothing, or up to a thousand calls a second, come in. It takes three
minutes and runs only when it is named.
growth measures each kind of page, the start and the memory of the built service on a store that grows to 100k, 1m, 10m and 100m
calls, up to --calls. It runs only when it is named. 100m takes more than a quarter of
an hour, 6 GB of memory and 30 GB of disk, more while the engine merges.`

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '1m' },
    only: { type: 'string', default: 'threads,shape,spend,queues,engine,writes,http,ingest,crash' },
    text: { type: 'string', default: '10' },
    crash: { type: 'string', default: '20' },
    attack: { type: 'string', default: '' },
    service: { type: 'string', default: process.cwd() },
    browser: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  console.log(help)
  process.exit(0)
}
const callsByOption: Readonly<Record<string, number>> = {
  '100k': 100_000,
  '1m': 1_000_000,
  '10m': 10_000_000,
  '100m': 100_000_000,
}
const calls = callsByOption[options.calls]
if (!calls) throw new Error(`--calls is one of ${Object.keys(callsByOption).join(', ')}, not ${options.calls}.`)
const gigabytes = Number(options.text)
if (!(gigabytes > 0)) throw new Error(`--text takes a number of gigabytes, not ${options.text}.`)
const rounds = Number(options.crash)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--crash takes a number of rounds, not ${options.crash}.`)

// Inside the project: what is built there has to find the packages.
const parent = join(import.meta.dirname, 'work')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'run-'))

/** Runs `use` with a store in a folder of its own. The engine may use nearly all memory, as the baseline needs it. */
async function withStore(name: string, use: (store: Store) => Promise<boolean>): Promise<boolean> {
  const store = await openStore({ folder: join(folder, name), maxMemoryBytes: Math.floor(totalmem() * 0.9) }, rebuildDerived)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const parts: Readonly<Record<string, () => Promise<boolean>>> = {
  threads: async () => {
    const areTargetsMet = await withStore('threads', async (store) => {
      const startedAt = performance.now()
      await loadCalls(store, calls)
      console.log(`\nLoaded ${calls.toLocaleString('en')} calls in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
      // First: the memory of this process is still small.
      const isPagingFine = await benchPages(store)
      const isFast = await benchThreads(store, join(folder, 'threads'), calls)
      const areCallsFast = await benchCalls(store, calls)
      return (await benchPercentiles(store)) && isFast && isPagingFine && areCallsFast
    })
    return (await benchStreaming(join(folder, 'threads'))) && areTargetsMet
  },
  shape: () =>
    withStore('shape', async (store) => {
      await loadCalls(store, calls)
      return benchShape(store)
    }),
  spend: () => withStore('spend', (store) => benchSpend(store, calls)),
  text: () => withStore('text', (store) => benchText(store, gigabytes)),
  queues: () => withStore('queues', benchQueues),
  engine: () => withStore('engine', benchEngine),
  writes: () => withStore('writes', benchWrites),
  http: benchHttp,
  ingest: benchIngest,
  crash: () => benchCrashes(join(folder, 'crash'), rounds),
  browser: () => benchBrowser(folder),
  interactions: async () => {
    await withStore('interactions', async (store) => {
      await loadConversations(store, calls)
      return true
    })
    return benchInteractions(join(folder, 'interactions'), calls)
  },
  growth: () => benchGrowth(calls, folder, withStore),
  storm: () => benchStorm(options.service),
  steady: () => benchSteady(options.service),
  fairness: () => benchFairness(join(folder, 'fairness'), options.service, options.attack),
}
const wanted = [...options.only.split(','), ...(options.browser ? ['browser'] : [])]
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not ${unknown.join(', ')}.`)

console.log(`Spool bench: medians and ratios, ${cpus().length} cores, Node ${process.version}`)
let areTargetsMet = true
try {
  for (const name of wanted) areTargetsMet = (await parts[name]?.()) === true && areTargetsMet
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(areTargetsMet ? '\nAll targets were met.' : '\nSome targets were missed: see ✗ above.')
process.exitCode = areTargetsMet ? 0 : 1
