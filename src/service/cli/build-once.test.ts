import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Plays Vite: notes that it runs, takes a moment, and writes the files. Its first build never ends while `hang` exists. */
const builder = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
appendFileSync('builds', process.argv.slice(3, -2).join(' ') + '\\n')
await new Promise((resolve) => setTimeout(resolve, existsSync('hang') ? 600_000 : 100))
mkdirSync('dist/dashboard', { recursive: true })
mkdirSync('dist/service', { recursive: true })
writeFileSync('dist/dashboard/index.html', '')
writeFileSync('dist/service/worker.js', '')
writeFileSync('dist/service/engine-worker.js', '')
writeFileSync('dist/service/main.js', "console.log('served'); process.disconnect()")
`
let checkout = ''
let children: ChildProcess[] = []

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'spool-checkout-'))
  children = []
  for (const name of ['spool.mjs', 'build-once.mjs']) {
    cpSync(join(import.meta.dirname, name), join(checkout, 'src/service/cli', name))
  }
  mkdirSync(join(checkout, 'node_modules/vite/bin'), { recursive: true })
  writeFileSync(join(checkout, 'node_modules/vite/bin/vite.js'), builder)
  writeFileSync(join(checkout, 'package.json'), '{"type": "module"}')
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(checkout, { recursive: true, force: true, maxRetries: 10 })
})

function launch(): ChildProcess {
  const child = spawn(process.execPath, [join(checkout, 'src/service/cli/spool.mjs')], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

/** Starts the command and returns what it printed. */
async function run(): Promise<string> {
  const { stdout } = launch()
  return stdout ? await text(stdout) : ''
}

function readBuilds(): number {
  const path = join(checkout, 'builds')
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').length : 0
}

test('a start builds dashboard and service, and the next one uses what is built', async () => {
  expect(await run()).toBe('served\n')
  expect(readFileSync(join(checkout, 'builds'), 'utf8')).toBe('\n--ssr\n')
  expect(await run()).toBe('served\n')
  expect(readBuilds()).toBe(2)
})

test('of several starts at once one builds, and all serve', async () => {
  expect(await Promise.all([run(), run(), run()])).toEqual(['served\n', 'served\n', 'served\n'])
  expect(readBuilds()).toBe(2)
  expect(existsSync(join(checkout, 'dist/build.lock'))).toBe(false)
})

test('after a build that was killed the next start builds again', async () => {
  await run()
  // Its files look finished, but nobody renews the lock.
  writeFileSync(join(checkout, 'dist/build.lock'), 'killed')
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(checkout, 'dist/build.lock'), past, past)
  expect(await Promise.all([run(), run()])).toEqual(['served\n', 'served\n'])
  expect(readBuilds()).toBe(4)
})

test('SIGTERM during the build ends the build with exit code 0, and the next start builds', async () => {
  writeFileSync(join(checkout, 'hang'), '')
  const child = launch()
  await expect.poll(readBuilds, { timeout: 20_000, interval: 10 }).toBe(1)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  rmSync(join(checkout, 'hang'))
  expect(await run()).toBe('served\n')
  expect(readBuilds()).toBe(3)
})

test('a failed build ends the start with exit code 1', async () => {
  writeFileSync(join(checkout, 'node_modules/vite/bin/vite.js'), 'process.exit(3)')
  expect(await once(launch(), 'close')).toEqual([1, null])
})
