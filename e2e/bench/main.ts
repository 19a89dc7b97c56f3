import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore } from '../../src/service/store/open-store'
import { benchBrowser } from './browser'
import { benchEngine } from './engine'
import { benchHttp } from './http'
import { loadCalls } from './load-calls'
import { benchThreads } from './threads'

const { values: options } = parseArgs({
  options: { calls: { type: 'string', default: '1m' }, browser: { type: 'boolean', default: false } },
})
const callsByOption: Readonly<Record<string, number>> = { '100k': 100_000, '1m': 1_000_000, '10m': 10_000_000 }
const calls = callsByOption[options.calls]
if (!calls) throw new Error(`--calls is one of ${Object.keys(callsByOption).join(', ')}, not ${options.calls}.`)

console.log(`Spool bench: medians and ratios, ${cpus().length} cores, Node ${process.version}`)

// Inside the project, so that what is built there finds the packages.
const parent = join(import.meta.dirname, 'work')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'run-'))
let isKept = true
try {
  const store = await openStore({ folder: join(folder, 'store') })
  const startedAt = performance.now()
  await loadCalls(store, calls)
  console.log(`Loaded ${calls.toLocaleString('en')} calls in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  isKept = (await benchThreads(store, calls)) && isKept
  isKept = (await benchEngine(store)) && isKept
  await store.close()
  isKept = (await benchHttp()) && isKept
  if (options.browser) isKept = (await benchBrowser(folder)) && isKept
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(isKept ? '\nEvery promise was kept.' : '\nNot every promise was kept: see ✗ above.')
process.exitCode = isKept ? 0 : 1
