import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const project_id = 'large/p'

type ResponseBody = { digest: string; rows: { val: { n: number } }[]; objs: unknown[] }

async function post(path: string, body: object): Promise<{ status: number; body: ResponseBody }> {
  const response = await service.post(path, body)
  return { status: response.status, body: (await response.json()) as ResponseBody } // the service validates its own responses
}

test('a table of a hundred thousand rows is created, paged, sorted, counted and changed', async () => {
  const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, question: `Frage ${n}: warum?`, expected: { label: n % 7 } }))
  const { body: table } = await post('/table/create', { table: { project_id, rows } })
  const query = async (digest: string, more: object) => {
    const { body } = await post('/table/query', { project_id, digest, ...more })
    return body.rows.map(({ val }) => val)
  }
  expect(await query(table.digest, { limit: 2, offset: 99_999 })).toEqual(rows.slice(99_999))
  expect(await query(table.digest, { limit: 3, offset: 50_000 })).toEqual(rows.slice(50_000, 50_003))
  const sorted = await query(table.digest, { sort_by: [{ field: 'expected.label', direction: 'desc' }], limit: 2 })
  expect(sorted.map(({ n }) => n)).toEqual([6, 13])
  expect((await post('/table/query_stats', { project_id, digest: table.digest })).body).toEqual({ count: 100_000 })
  const updates = [{ append: { row: { n: -1 } } }]
  const { body: changed } = await post('/table/update', { project_id, base_digest: table.digest, updates })
  expect(await query(changed.digest, { offset: 99_999 })).toEqual([rows.at(-1), { n: -1 }])
})

test('a response of objects that would not fit into memory is rejected with advice', async () => {
  const text = 'x'.repeat(20 * 1024 * 1024)
  for (let index = 0; index < 3; index += 1) {
    const obj = { project_id, object_id: `thing-${index}`, val: { text, index } }
    expect((await post('/obj/create', { obj })).status).toBe(200)
  }
  expect(await post('/objs/query', { project_id })).toMatchObject({
    status: 422,
    body: {
      detail: [{ loc: ['body', 'limit'], type: 'answer_too_large', msg: expect.stringContaining('metadata_only') as string }],
    },
  })
  const metadata = await post('/objs/query', { project_id, metadata_only: true })
  expect(metadata.body.objs).toHaveLength(3)
  const last = await post('/objs/query', { project_id, limit: 1, offset: 2 })
  expect(last.body.objs[0]).toMatchObject({ val: { index: 2 } })
  const refs = Array.from({ length: 3 }, (_, index) => `weave:///${project_id}/object/thing-${index}:latest`)
  expect((await post('/refs/read_batch', { refs })).status).toBe(422)
})

test('the largest file that fits into a request is returned', async () => {
  const create = async (content: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append('project_id', project_id)
    form.append('file', new Blob([content]), 'large.bin')
    const request = new Request('http://spool/', { method: 'POST', body: form })
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    return service.send('/file/create', { method: 'POST', body: await request.arrayBuffer(), headers })
  }
  const content = randomBytes(32 * 1024 * 1024 - 1024)
  const { digest } = (await (await create(content)).json()) as { digest: string }
  const response = await service.post('/file/content', { project_id, digest })
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  expect((await create(randomBytes(32 * 1024 * 1024))).status).toBe(413)
})
