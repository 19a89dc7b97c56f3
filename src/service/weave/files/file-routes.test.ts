import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, openTestApp, reviewer, type TestApp } from '../../testing/test-app'

type User = { username: string; password: string }

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const digestOf = (content: Uint8Array) =>
  createHash('sha256').update(content).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')

/** Sends a file as the SDKs do: a form that the platform builds. */
async function send(
  projectId: string,
  content: Uint8Array<ArrayBuffer>,
  { path = '/file/create', name = 'obj.py', user = administrator }: { path?: string; name?: string; user?: User } = {},
) {
  const form = new FormData()
  form.append('project_id', projectId)
  form.append('file', new Blob([content]), name)
  const request = new Request('http://spool/', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const response = await service.send(path, { method: 'POST', body: await request.arrayBuffer(), headers }, user)
  return { status: response.status, body: (await response.json()) as { digest: string } } // checked by the contract in the service
}

async function read(projectId: string, digest: string, path = '/file/content') {
  const response = await service.post(path, { project_id: projectId, digest })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    content: Buffer.from(await response.arrayBuffer()),
  }
}

test.each([
  ['no bytes', Buffer.alloc(0)],
  ['every byte value', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ['bytes that look like the end of a form', Buffer.from('\r\n--\r\n----xx--\r\n')],
  ['exactly one chunk', randomBytes(1024 * 1024)],
  ['several chunks', randomBytes(3 * 1024 * 1024 + 17)],
])('a file of %s is returned byte for byte, by the digest that clients compute', async (_, content) => {
  const sent = await send('files/p', content)
  expect(sent).toEqual({ status: 200, body: { digest: digestOf(content) } })
  const reply = await read('files/p', sent.body.digest)
  expect(reply).toMatchObject({ status: 200, type: 'application/octet-stream' })
  expect(reply.content.equals(content)).toBe(true)
})

test('both paths of each operation do the same', async () => {
  const { body } = await send('names/p', Buffer.from('x'), { path: '/files/create' })
  expect((await read('names/p', body.digest, '/files/content')).content.toString()).toBe('x')
})

test('the same content, sent many times at once and under other names, is stored once', async () => {
  const content = randomBytes(10_000)
  const sent = await Promise.all(['a', 'ü "q".py', '../x', ''].map((name) => send('again/p', content, { name })))
  expect(new Set(sent.map(({ body }) => body.digest)).size).toBe(1)
  expect((await read('again/p', digestOf(content))).content.equals(content)).toBe(true)
})

test('an incomplete file is not found, and can be sent again', async () => {
  const content = randomBytes(2 * 1024 * 1024 + 1)
  const digest = digestOf(content)
  const first = content.subarray(0, 1024 * 1024).toString('base64')
  await service.store.insert('file_chunks', [{ project_id: 'cut/p', digest, chunk_index: 0, chunk_count: 3, content: first }])
  expect((await read('cut/p', digest)).status).toBe(404)
  await send('cut/p', content)
  expect((await read('cut/p', digest)).content.equals(content)).toBe(true)
})

test('a digest alone does not open the file of another project', async () => {
  const content = Buffer.from('secret')
  const { body } = await send('other/secret', content)
  expect((await read('acme/support', body.digest)).status).toBe(404)
  expect((await service.post('/file/content', { project_id: 'other/secret', digest: body.digest }, reviewer)).status).toBe(403)
  expect((await send('other/secret', content, { user: reviewer })).status).toBe(403)
})

const form = (...parts: string[]) => ({
  method: 'POST',
  headers: { 'content-type': 'multipart/form-data; boundary=xx' },
  body: `${parts.map((part) => `--xx\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--xx--\r\n`,
})
const project = 'name="project_id"\r\n\r\na/b'
const file = 'name="file"; filename="x"\r\n\r\nx'

test.each([
  ['no project', form(file), ['body', 'project_id']],
  ['a project of the wrong form', form('name="project_id"\r\n\r\nab', file), ['body', 'project_id']],
  ['two projects', form(project, project, file), ['body', 'project_id']],
  ['no file', form(project), ['body', 'file']],
  ['two files', form(project, file, file), ['body', 'file']],
  ['a form cut short', { ...form(project, file), body: '--xx\r\nContent-Dispo' }, ['body']],
])('%s is rejected with the path of the problem', async (_, init, loc) => {
  const response = await service.send('/file/create', init)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ detail: [{ loc, msg: expect.any(String) as string }] })
})

test('creating a file takes a form, reading one takes JSON', async () => {
  expect((await service.post('/file/create', { project_id: 'a/b' })).status).toBe(415)
  expect((await service.send('/file/content', form(project))).status).toBe(415)
  expect((await service.post('/file/content', { project_id: 'a/b' })).status).toBe(422)
  expect((await service.post('/file/content', { project_id: 'a/b', digest: 'unknown' })).status).toBe(404)
})

test('files survive a restart', async () => {
  const { body } = await send('restart/p', Buffer.from('kept'))
  await service.restart()
  expect((await read('restart/p', body.digest)).content.toString()).toBe('kept')
})
