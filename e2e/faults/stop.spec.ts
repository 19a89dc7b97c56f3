import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'playwright/test'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'
import { exitOf, isAlive, readServiceProcessId } from './service-process'

test.describe.configure({ mode: 'parallel' })

const credentials = { SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw', SPOOL_SAMPLE: 'off' }
let folder = ''
let children: ChildProcess[] = []

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-stop-'))
  children = []
})
test.afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Starts the command `spool` without waiting until it is ready. */
function launch(environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['src/service/cli/spool.mjs'], {
    env: { ...process.env, SPOOL_PORT: '0', SPOOL_DATA: folder, ...credentials, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

let callCount = 0
function startBatch() {
  const batch = Array.from({ length: 20 }, () => {
    const id = (callCount += 1).toString(16).padStart(16, '0')
    const ids = { project_id: 'a/b', id, trace_id: id + id, turn_id: id, thread_id: `t${callCount % 50}` }
    const start = {
      ...ids,
      op_name: 'answer',
      started_at: '2026-01-01T00:00:00Z',
      attributes: {},
      inputs: { q: 'x'.repeat(500) },
    }
    return { mode: 'start', req: { start } }
  })
  return { batch }
}

fault(
  'SIGTERM at any moment of the start',
  'it ends with exit code 0, never with a crash, and the next start goes on',
  async () => {
    for (let round = 0; round < 5; round += 1) {
      const child = launch()
      await expect.poll(() => existsSync(join(folder, 'engine.xml')), { timeout: 60_000, intervals: [5] }).toBe(true)
      await wait(round * 150)
      child.kill('SIGTERM')
      expect(await exitOf(child)).toBe(0)
      if (round < 4) rmSync(folder, { recursive: true, force: true })
    }
    const service = await SpoolService.start({ SPOOL_DATA: folder, ...credentials })
    expect(await service.stop()).toBe(0)
  },
)

fault('SIGTERM to `npm start`, as a container sends it', 'the service ends with npm and leaves nothing running', async () => {
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, SPOOL_PORT: '0', SPOOL_DATA: folder, ...credentials },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(npm)
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Spool is ready')
  const processId = readServiceProcessId(folder)
  npm.kill('SIGTERM')
  await exitOf(npm)
  await expect.poll(() => isAlive(processId), { timeout: 10_000 }).toBe(false)
})

fault('SIGTERM while clients keep sending and a reader has stalled', 'it ends with exit code 0 within ten seconds', async () => {
  const service = await SpoolService.start({ SPOOL_DATA: folder, ...credentials })
  children.push(service.child)
  const client = new SpoolClient(service.url, 'me', 'pw')
  for (let count = 0; count < 20; count += 1) await client.postJson('/call/upsert_batch', startBatch())
  const { hostname, port } = new URL(service.url)
  const body = JSON.stringify({ project_id: 'a/b' })
  const stalled = connect(Number(port), hostname)
  stalled.on('error', () => undefined)
  stalled.pause()
  const head = [
    `Host: ${hostname}`,
    'Authorization: Bearer pw',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  stalled.write(`POST /calls/stream_query HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  const senders = Array.from({ length: 8 }, async () => {
    for (;;) {
      const response = await client.post('/call/upsert_batch', startBatch()).catch(() => undefined)
      if (!response) return // the service has stopped
    }
  })
  await wait(1000)
  const startMs = performance.now()
  expect(await service.stop()).toBe(0)
  expect(performance.now() - startMs).toBeLessThan(10_000)
  await Promise.all(senders)
  stalled.destroy()
})

fault('the launcher is killed', 'the service ends too, and its data folder can be opened again', async () => {
  const first = await SpoolService.start({ SPOOL_DATA: folder, ...credentials })
  expect(await first.stop('SIGKILL')).toBe(null)
  await expect
    .poll(
      () =>
        SpoolService.start({ SPOOL_DATA: folder, ...credentials }).then(
          (again) => again.stop(),
          () => 'in use',
        ),
      {
        timeout: 60_000,
      },
    )
    .toBe(0)
})

fault('nobody reads the output any more', 'the service starts and serves', async () => {
  const reserved = createServer().listen(0, '127.0.0.1')
  await once(reserved, 'listening')
  const { port } = reserved.address() as AddressInfo // a server on a port has an address object
  reserved.close()
  const child = launch({ SPOOL_PORT: String(port), SPOOL_LOG_LEVEL: 'debug' })
  child.stdout?.destroy()
  child.stderr?.destroy()
  const readHealth = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(readHealth, { timeout: 60_000 }).toBe(200)
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(0)
})

fault('an error outside of any request', 'it is logged, and the process ends with exit code 1', async () => {
  const throwing = `if (process.argv[1]?.endsWith('main.js')) process.on('SIGUSR2', () => { throw new Error('on purpose') })`
  const service = await SpoolService.start({
    SPOOL_DATA: folder,
    ...credentials,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}`,
  })
  children.push(service.child)
  let log = ''
  service.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const client = new SpoolClient(service.url, 'me', 'pw')
  const reads = Array.from({ length: 4 }, () => client.post('/calls/query_stats', { project_id: 'a/b' }).catch(() => undefined))
  process.kill(readServiceProcessId(folder), 'SIGUSR2')
  expect(await exitOf(service.child)).toBe(1)
  await Promise.all(reads)
  expect(log).toContain('unexpected error outside of any request')
  expect(await (await SpoolService.start({ SPOOL_DATA: folder, ...credentials })).stop()).toBe(0)
})
