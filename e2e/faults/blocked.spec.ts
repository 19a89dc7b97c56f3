import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { toCallStart } from '../to-call-start'
import { fault } from './fault'
import { exitOf, isAlive, readServiceProcessId } from './service-process'

// A service that does nothing any more, as if the engine had blocked it.

test.describe.configure({ mode: 'parallel' })

const credentials = { SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw', SPOOL_SAMPLE: 'off' }
const callCount = 20
let folder = ''
let children: ChildProcess[] = []

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-blocked-'))
  children = []
})
test.afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** A service with calls, the lines that it logs from then on, and the id of its process. */
async function startWithCalls() {
  const service = await SpoolService.start({ SPOOL_DATA: folder, ...credentials })
  children.push(service.child)
  const log: string[] = []
  service.child.stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  const batch = Array.from({ length: callCount }, (_, index) => toCallStart('a/b', index.toString(16).padStart(16, '0')))
  await new SpoolClient(service.url, 'me', 'pw').postJson('/call/upsert_batch', { batch })
  return { service, log, processId: readServiceProcessId(folder) }
}

async function expectCallsAfterRestart() {
  const again = await SpoolService.start({ SPOOL_DATA: folder, ...credentials })
  children.push(again.child)
  const stats = await new SpoolClient(again.url, 'me', 'pw').postJson('/calls/query_stats', { project_id: 'a/b' })
  expect(stats).toMatchObject({ count: callCount })
  expect(await again.stop()).toBe(0)
}

fault(
  'the service hangs for good',
  'the launcher kills it after a minute, and ends with an error, so that it is started again',
  async () => {
    const { service, log, processId } = await startWithCalls()
    process.kill(processId, 'SIGSTOP')
    expect(await exitOf(service.child)).toBe(128 + constants.signals.SIGKILL)
    expect(log.join('')).toContain('did not answer for a minute')
    expect(isAlive(processId)).toBe(false)
    await expectCallsAfterRestart()
  },
)

fault('SIGTERM while the service is blocked', 'the launcher kills it and ends with exit code 0 within ten seconds', async () => {
  const { service, log, processId } = await startWithCalls()
  process.kill(processId, 'SIGSTOP')
  const startMs = performance.now()
  expect(await service.stop()).toBe(0)
  expect(performance.now() - startMs).toBeLessThan(10_000)
  expect(log.join('')).toContain('was killed')
  await expectCallsAfterRestart()
})

fault('SIGTERM, and the service kills itself because the engine does not stop', 'the exit code is 0', async () => {
  const { service, log, processId } = await startWithCalls()
  // Blocked, so that it does not stop by itself before.
  process.kill(processId, 'SIGSTOP')
  const stopped = service.stop()
  process.kill(processId, 'SIGKILL')
  expect(await stopped).toBe(0)
  expect(log.join('')).toContain('was killed')
  await expectCallsAfterRestart()
})
