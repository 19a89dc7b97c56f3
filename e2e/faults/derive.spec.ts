import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { rebuildDerived } from '../../src/service/derive/rebuild-derived'
import { openStore } from '../../src/service/store/open-store'
import { killService } from '../bench/service-process'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

test.describe.configure({ mode: 'parallel' })

const credentials = { SPOOL_USERNAME: 'admin', SPOOL_PASSWORD: 'derive-faults' }

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-derive-'))
})
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function start() {
  const service = await SpoolService.start({ ...credentials, SPOOL_DATA: folder, SPOOL_SAMPLE: 'off' })
  return { service, client: new SpoolClient(service.url, credentials.SPOOL_USERNAME, credentials.SPOOL_PASSWORD) }
}

function toStart(projectId: string, threadId: string) {
  const id = randomUUID()
  const call = { project_id: projectId, id, trace_id: id, op_name: 'answer', thread_id: threadId, turn_id: id }
  return { mode: 'start', req: { start: { ...call, started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: {} } } }
}

/** How many turns the threads of a project have. Asks again while the service says that it is still computing them. */
async function countTurns(client: SpoolClient, projectId: string): Promise<number> {
  for (;;) {
    const response = await client.post('/threads/stream_query', { project_id: projectId })
    const text = await response.text()
    if (response.status === 503) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      await new Promise((resolve) => setTimeout(resolve, 500))
      continue
    }
    expect(response.status, text).toBe(200)
    return text
      .split('\n')
      .filter((line) => line !== '')
      .reduce((sum, line) => sum + Number(JSON.parse(line).turn_count), 0)
  }
}

/** Stores what clients could send before the length of ids was limited: a call in many threads with ids of 2 MB. */
async function storePoison(): Promise<void> {
  const store = await openStore({ folder }, rebuildDerived)
  const call = { project_id: 'poisoned/p', started_at: '2026-01-01 00:00:00' }
  for (let index = 0; index < 14; index += 1) {
    const threadId = String.fromCharCode(97 + index).repeat(2 * 1024 * 1024)
    const ids = { turn_id: 'poison', turn_ids: ['poison'], thread_id: threadId, thread_ids: [threadId] }
    await store.insert('calls', [{ ...call, id: 'poison', ...ids }])
  }
  for (const projectId of ['poisoned/p', 'other/p']) {
    const ids = { turn_id: 'fine', turn_ids: ['fine'], thread_id: 't', thread_ids: ['t'] }
    await store.insert('calls', [{ ...call, project_id: projectId, id: 'fine', ...ids }])
  }
  await store.close()
}

fault(
  'a stored call whose turns cannot be computed: ids of 2 MB from an older version',
  'the service starts and serves; the call is set aside, stays stored, and an administrator sees why',
  async () => {
    await storePoison()
    for (const attempt of ['first start', 'second start']) {
      const { service, client } = await start()
      await client.postJson('/call/upsert_batch', { batch: [toStart('other/p', 't')] })
      expect(await countTurns(client, 'other/p')).toBe(attempt === 'first start' ? 2 : 3)
      expect(await countTurns(client, 'poisoned/p')).toBe(1)
      const response = await fetch(`${service.url}/calls/refused`, { headers: { authorization: client.authorization } })
      expect(await response.json()).toMatchObject({
        quarantined: { count: 1, latest: [{ project_id: 'poisoned/p', call_id: 'poison' }] },
      })
      expect(await service.stop()).toBe(0)
    }
  },
)

fault('one batch with calls of 4,000 projects', 'a reader of another project waits for none of them', async () => {
  const { service, client } = await start()
  await client.postJson('/call/upsert_batch', { batch: [toStart('quiet/p', 't')] })
  const batch = Array.from({ length: 4000 }, (_, index) => toStart(`many/p${index}`, 't'))
  await client.postJson('/call/upsert_batch', { batch })
  expect(await countTurns(client, 'quiet/p')).toBe(1)
  const last = await Promise.all([0, 1999, 3999].map((index) => countTurns(client, `many/p${index}`)))
  expect(last).toEqual([1, 1, 1])
  await service.stop()
})

fault('kill -9 while the last run is being recovered', 'the next start derives every acknowledged call', async () => {
  const first = await start()
  for (let request = 0; request < 5; request += 1) {
    const batch = Array.from({ length: 800 }, (_, index) => toStart('killed/p', `t${index % 7}`))
    await first.client.postJson('/call/upsert_batch', { batch })
  }
  await killService(first.service)
  const second = await start()
  await second.client.postJson('/call/upsert_batch', { batch: [toStart('killed/p', 't0')] })
  await killService(second.service)
  const third = await start()
  expect(await countTurns(third.client, 'killed/p')).toBe(4001)
  await third.service.stop()
})
