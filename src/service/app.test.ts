import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, basic, parseJsonLines, openTestApp, reviewer, type TestApp } from './testing/test-app'

let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const operations = [
  ['POST', '/cost/query'],
  ['POST', '/cost/create'],
  ['POST', '/cost/purge'],
  ['POST', '/threads/stream_query'],
  ['POST', '/annotation_queues'],
  ['POST', '/annotation_queues/query'],
  ['GET', '/annotation_queues/x?project_id=a/b'],
  ['POST', '/call/start'],
  ['POST', '/call/end'],
  ['POST', '/call/upsert_batch'],
  ['POST', '/v2/a/b/calls/complete'],
  ['GET', '/projects'],
  ['GET', '/server_info'],
] as const

describe('every operation', () => {
  test.each(operations)('%s %s requires credentials before it reads the body', async (method, path) => {
    const body = method === 'POST' ? 'x'.repeat(1000) : null
    const response = await service.app.request(path, { method, body })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="spool"'])
    const { detail }: { detail: { loc: string[] }[] } = await response.json()
    expect(detail.map(({ loc }) => loc)).toEqual([['header', 'authorization']])
  })

  test.each(operations)('%s %s rejects another method with 405', async (method, path) => {
    const response = await service.send(path, { method: 'PATCH' })
    const allowed = path.startsWith('/annotation_queues/x') ? 'GET, HEAD, PUT, DELETE' : method === 'GET' ? 'GET, HEAD' : 'POST'
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
  })

  test.each(operations.filter(([method]) => method === 'POST'))(
    '%s %s answers hostile bodies with 200 or 422, without inner details',
    async (_, path) => {
      const project = '"project_id":"a/b"'
      const hostile = [
        '',
        'null',
        '[]',
        '{',
        '"x"',
        '{"__proto__":null}',
        `{${project},"query":{"$expr":${'{"$not":['.repeat(400)}1${']}'.repeat(400)}}}`,
        '['.repeat(100_000),
        `{${project},"sort_by":${JSON.stringify(Array.from({ length: 1000 }, () => ({ field: 'x', direction: 'y' })))}}`,
        `{${project},"fields":[${Array(5000).fill('null').join(',')}]}`,
        `{"project_id":"${'a'.repeat(100_000)}/b"}`,
        `{"project_id":"a/b\\u0000'; DROP TABLE costs"}`,
        JSON.stringify({ project_id: {}, name: [], costs: 5, query: 'x', batch: {}, start: 1, end: 2, limit: {}, filter: [] }),
      ]
      for (const body of hostile) {
        const response = await service.post(path, body)
        const text = await response.text()
        expect([200, 422], `${body.slice(0, 100)} ${text.slice(0, 300)}`).toContain(response.status)
        expect(text).not.toMatch(/exception|SELECT|ClickHouse|\bat \/|node_modules/i)
      }
      expect(service.errorLog).toEqual([])
    },
  )
})

describe('credentials', () => {
  const listProjects = (headers: Record<string, string>) => service.app.request('/projects', { headers })
  const encoded = (text: string) => Buffer.from(text).toString('base64')

  test.each<[string, Record<string, string>, number]>([
    ['name and password', { authorization: basic(administrator) }, 200],
    ['a name and password with non-ASCII characters and a colon', { authorization: basic(reviewer) }, 200],
    ['lower-case scheme', { authorization: basic(administrator).replace('Basic', 'basic') }, 200],
    ["the username 'api' of Weave clients and a password", { authorization: `Basic ${encoded('api:admin-secret')}` }, 200],
    ['a bearer token', { authorization: 'Bearer admin-secret' }, 200],
    ['the wandb-api-key header', { 'wandb-api-key': 'admin-secret' }, 200],
    ['a good Authorization beside a bad key', { authorization: 'Bearer admin-secret', 'wandb-api-key': 'x' }, 200],
    ['a bad Authorization beside a good key', { authorization: 'Bearer x', 'wandb-api-key': 'admin-secret' }, 401],
    ['nothing', {}, 401],
    ['a wrong password', { authorization: `Basic ${encoded('admin:x')}` }, 401],
    ["another user's password", { authorization: `Basic ${encoded(`admin:${reviewer.password}`)}` }, 401],
    ['an unknown username', { authorization: `Basic ${encoded('root:admin-secret')}` }, 401],
    ['no password', { authorization: `Basic ${encoded('admin:')}` }, 401],
    ['no colon', { authorization: `Basic ${encoded('admin')}` }, 401],
    ['no username', { authorization: `Basic ${encoded(':admin-secret')}` }, 401],
    ['invalid base64', { authorization: 'Basic ***' }, 401],
    ['another scheme', { authorization: 'Digest admin-secret' }, 401],
    ['an empty header', { authorization: '' }, 401],
    ['an empty bearer token', { authorization: 'Bearer ' }, 401],
    ['an empty key', { 'wandb-api-key': '' }, 401],
  ])('%s', async (_, headers, status) => {
    const response = await listProjects(headers)
    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain('secret')
  })
})

describe('GET', () => {
  test('/health needs no credentials', async () => {
    const response = await service.app.request('/health?cache=buster')
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
    expect((await service.app.request('/health', { method: 'HEAD' })).status).toBe(200)
  })

  test('/projects lists the projects with data that the user may access', async () => {
    const cost = { m: { prompt_token_cost: 1, completion_token_cost: 1 } }
    await service.post('/cost/create', { project_id: 'z/costs', costs: cost })
    await service.post('/annotation_queues', { project_id: 'acme/support', name: 'n', scorer_refs: [] })
    const call = { project_id: 'acme/calls', op_name: 'o', started_at: '2026-01-01', attributes: {}, inputs: {} }
    expect((await service.post('/call/start', { start: call })).status).toBe(200)
    expect(await (await service.send('/projects')).json()).toEqual({ projects: ['acme/calls', 'acme/support', 'z/costs'] })
    expect(await (await service.send('/projects', {}, reviewer)).json()).toEqual({ projects: ['acme/support'] })
  })

  test('/projects leaves out a project whose prices were all deleted', async () => {
    const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1 } }
    const created = await service.post('/cost/create', { project_id: 'old/p', costs })
    const { ids }: { ids: string[][] } = await created.json()
    const projects = async () => {
      const { projects: all }: { projects: string[] } = await (await service.send('/projects')).json()
      return all
    }
    expect(await projects()).toContain('old/p')
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: ids[0]?.[0] }] } }
    expect((await service.post('/cost/purge', { project_id: 'old/p', query })).status).toBe(200)
    expect(await projects()).not.toContain('old/p')
  })

  test('an unknown path is a 404 with the usual error body', async () => {
    const response = await service.app.request(`/nowhere/${'x'.repeat(5000)}`)
    const text = await response.text()
    expect([response.status, text.length < 300]).toEqual([404, true])
    expect(JSON.parse(text)).toEqual({ detail: [{ loc: ['path'], msg: expect.any(String), type: 'not_found' }] })
    for (const path of ['/..%2f..%2fetc/passwd', '/%ff', '/cost/query/', '//cost/query']) {
      expect((await service.app.request(path, { method: 'POST' })).status).toBe(404)
    }
  })
})

describe('the dashboard', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spool-page-'))
    const page = '<html><style>a{}</style><script>boot()</script><script type="module" src="/assets/x-1.js"></script></html>'
    for (const [name, text] of Object.entries({
      'index.html': page,
      'index.html.br': 'BR',
      'index.html.gz': 'GZ',
      'icon.svg': '<svg/>',
      'notes.md': 'x',
    })) {
      writeFileSync(join(folder, name), text)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const html = { accept: 'text/html,*/*' }

  test('is served at / and for every page a browser opens, in an accepted encoding', async () => {
    const app = await service.withStaticFiles(folder)
    for (const path of ['/', '/costs', '/threads/some%2Fid?x=1', '/threads/kim@acme.org', '/threads/usage/', '/queues/01a1']) {
      const response = await app.request(path, { headers: { ...html, 'accept-encoding': 'gzip, br' } })
      expect([response.status, response.headers.get('content-encoding'), response.headers.get('cache-control')]).toEqual([
        200,
        'br',
        'no-cache',
      ])
      expect(await response.text()).toBe('BR')
    }
    expect(await (await app.request('/', { headers: { 'accept-encoding': 'gzip' } })).text()).toBe('GZ')
    const plain = await app.request('/')
    expect(await plain.text()).toContain('<html>')
    expect((await app.request('/', { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } })).status).toBe(304)
    expect((await app.request('/', { method: 'HEAD' })).headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('may run its own and its inline scripts only', async () => {
    const app = await service.withStaticFiles(folder)
    const policy = (await app.request('/')).headers.get('content-security-policy')
    expect(policy).toMatch(/script-src 'self' 'sha256-[^' ]+';/)
    expect(policy).toMatch(/style-src 'self' 'sha256-[^' ]+';/)
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("connect-src 'self' https: http:")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })

  test('is not served for a missing file or an operation', async () => {
    const app = await service.withStaticFiles(folder)
    expect((await app.request('/icon.svg')).headers.get('content-type')).toBe('image/svg+xml')
    const missing = [
      '/assets/missing-1.js',
      '/favicon.ico',
      '/notes.md',
      '/index.html.br',
      '/../package.json',
      '/%2e%2e/package.json',
    ]
    for (const path of missing) {
      const response = await app.request(path, { headers: html })
      expect([path, response.status]).toEqual([path, 404])
    }
    expect((await app.request('/cost/query', { headers: html })).status).toBe(405)
    expect((await app.request('/costs')).status).toBe(404)
    expect((await app.request('/costs', { method: 'POST', headers: html })).status).toBe(404)
    expect((await app.request('/projects', { headers: html })).status).toBe(401)
  })
})

describe('a lone surrogate', () => {
  const lone = 'x\ud800y'

  test('in a name becomes U+FFFD when it is stored, searched for and returned', async () => {
    const costs = { [lone]: { prompt_token_cost: 1, completion_token_cost: 1, provider_id: lone } }
    expect((await service.post('/cost/create', { project_id: `e/${lone}`, costs })).status).toBe(200)
    const query = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: lone }] } }
    const found = await service.post('/cost/query', { project_id: `e/${lone}`, fields: ['llm_id', 'provider_id'], query })
    expect(await found.json()).toEqual({ results: [{ llm_id: 'x\ufffdy', provider_id: 'x\ufffdy' }] })
  })

  test('in a queue or a call is no store error', async () => {
    const queue = { project_id: `e/${lone}`, name: lone, description: lone, scorer_refs: [] }
    expect((await service.post('/annotation_queues', queue)).status).toBe(200)
    const found = await service.post('/annotation_queues/query', { project_id: `e/${lone}`, name: lone })
    expect(parseJsonLines(await found.text())).toMatchObject([{ name: 'x\ufffdy', description: 'x\ufffdy' }])
    const id = '00000000000000aa'
    const start = { project_id: `e/${lone}`, op_name: lone, started_at: '2026-01-01', id, thread_id: lone, turn_id: id }
    const sent = await service.post('/call/start', { start: { ...start, attributes: {}, inputs: { [lone]: lone } } })
    expect(sent.status).toBe(200)
    const threads = await service.post('/threads/stream_query', { project_id: `e/${lone}`, filter: { thread_ids: [lone] } })
    expect(parseJsonLines(await threads.text())).toMatchObject([{ thread_id: 'x\ufffdy', turn_count: 1 }])
  })
})
