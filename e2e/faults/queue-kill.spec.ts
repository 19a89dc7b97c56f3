import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { killService } from '../bench/service-process'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { toCallStart } from '../to-call-start'
import { fault } from './fault'

const project_id = 'queues/kill'
const password = 'correct horse battery staple'
const ref = `weave:///${project_id}/object/good:v0`

let folder = ''
let service: SpoolService

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-queue-kill-'))
  service = await start()
})
test.afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

function start(): Promise<SpoolService> {
  return SpoolService.start({
    SPOOL_DATA: folder,
    SPOOL_SAMPLE: 'off',
    SPOOL_USERNAME: 'admin',
    SPOOL_PASSWORD: password,
    SPOOL_LOG_LEVEL: 'error',
  })
}

async function send<Body>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, fields: object = {}): Promise<Body> {
  const { authorization } = new SpoolClient(service.url, 'admin', password)
  const hasBody = method === 'POST' || method === 'PUT'
  const response = await fetch(`${service.url}${path}${hasBody ? '' : `?project_id=${encodeURIComponent(project_id)}`}`, {
    method,
    headers: { authorization, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify({ project_id, ...fields }) }),
  })
  const body = await response.text()
  expect(response.status, `${method} ${path}: ${body}`).toBe(200)
  return JSON.parse(body) as Body
}

/** The service is killed as soon as its reply to a change has arrived. */
async function changeAndKill<Body>(...request: Parameters<typeof send>): Promise<Body> {
  const reply = await send<Body>(...request)
  await killService(service)
  service = await start()
  return reply
}

type Item = { id: string; call_id: string; annotation_state: string; lease: { annotator: string } | null }

fault('kill -9 right after the reply to each request that changes a queue', 'what was acknowledged is there', async () => {
  test.setTimeout(300_000)
  const callIds = ['00000000000000a1', '00000000000000a2']
  await send('POST', '/call/upsert_batch', { batch: callIds.map((id) => toCallStart(project_id, id)) })
  await send('POST', '/obj/create', {
    obj: { project_id, object_id: 'good', val: { field_schema: { type: 'boolean' } }, builtin_object_class: 'AnnotationSpec' },
  })

  const { id } = await changeAndKill<{ id: string }>('POST', '/annotation_queues', { name: 'first', scorer_refs: [ref] })
  const path = `/annotation_queues/${id}`
  const readItems = async () => (await send<{ items: Item[] }>('POST', `${path}/items/query`)).items
  expect(await send('GET', path)).toMatchObject({ queue: { name: 'first', scorer_refs: [ref] } })

  await changeAndKill('PUT', path, { name: 'second', reviews_per_item: 2 })
  expect(await send('GET', path)).toMatchObject({ queue: { name: 'second', reviews_per_item: 2 } })

  await changeAndKill('POST', `${path}/items`, { call_ids: callIds, display_fields: [] })
  expect((await readItems()).map(({ call_id: callId }) => callId).toSorted()).toEqual(callIds)

  const { item } = await changeAndKill<{ item: Item }>('POST', `${path}/next`)
  const readItem = async () => (await readItems()).find((each) => each.id === item.id)
  expect(await readItem()).toMatchObject({ lease: { annotator: 'admin' } })

  await changeAndKill('POST', `${path}/items/${item.id}/release`)
  expect(await readItem()).toMatchObject({ lease: null })

  await changeAndKill('POST', `${path}/items/${item.id}/lease`)
  expect(await readItem()).toMatchObject({ lease: { annotator: 'admin' } })

  const answer = {
    project_id,
    id: '0199aaaa-0000-7000-8000-000000000001',
    weave_ref: `weave:///${project_id}/call/${item.call_id}`,
    feedback_type: 'wandb.annotation.good',
    annotation_ref: ref,
    payload: { value: true },
    queue_id: id,
  }
  await changeAndKill('POST', '/feedback/batch/create', { project_id: undefined, batch: [answer] })
  const { result } = await send<{ result: object[] }>('POST', '/feedback/query')
  expect(result).toMatchObject([{ id: answer.id, payload: { value: true } }])

  await changeAndKill('POST', `${path}/items/${item.id}/progress`, { annotation_state: 'completed' })
  expect(await readItem()).toMatchObject({ reviews: [{ annotator: 'admin', state: 'completed' }] })
  expect(await send('POST', `${path}/results`, { limit: 0 })).toMatchObject({ scorers: [{ answer_count: 1, item_count: 1 }] })

  await changeAndKill('PUT', path, { archived: true })
  expect(await send('GET', path)).toMatchObject({ queue: { archived: true } })

  await changeAndKill('DELETE', path)
  await expect(send('GET', path)).rejects.toThrow('404')

  await changeAndKill('POST', `${path}/restore`)
  expect(await send('GET', path)).toMatchObject({ queue: { name: 'second', archived: true } })
  expect(await readItems()).toHaveLength(2)
})
