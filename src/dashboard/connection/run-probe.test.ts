// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { describeProbeResult } from './describe-probe-result'
import { probes } from './probes'
import { compareResult, type ProbeOutcome, type ProbeResult, runProbe } from './run-probe'

const connection = { id: 'a', name: 'a', baseUrl: 'https://spool.example.com', username: 'ann', password: 'x', projectId: 'a/b' }

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const problems = { detail: [{ loc: ['body', 'name'], msg: 'Field required.', type: 'missing' }] }
const respond =
  (status: number, body: unknown = problems, headers = {}) =>
  async () =>
    Response.json(body, { status, headers })
const send = (text: string, type: string) => async () => new Response(text, { headers: { 'content-type': type } })
const lines = (text: string) => send(text, 'application/jsonl')
const elsewhere404 =
  (fetch: Fetch): Fetch =>
  async (url, init) =>
    String(url).endsWith('/annotation_queues') ? fetch(url, init) : respond(404)()
const page = send('<!doctype html><title>Grafana</title>', 'text/html; charset=utf-8')
const noResponse = async (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))
// A script cannot make such a response; only the browser does.
const redirect: Fetch = async (_, init) =>
  init?.redirect === 'manual'
    ? Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
    : Object.defineProperties(new Response(null), {
        redirected: { value: true },
        url: { value: 'https://new.example.com/base/cost/query' },
      })

async function run(operation: string, fetch: Fetch, change = {}): Promise<ProbeResult> {
  vi.stubGlobal('fetch', fetch)
  const probe = probes.find((each) => each.operation === operation)
  if (!probe) throw new Error(`There is no probe ${operation}`)
  return await runProbe(probe, { ...connection, ...change }, new AbortController().signal)
}

const cost = { llm_id: 'gpt-4o', prompt_token_cost: '0.1' }
const queue = {
  id: 'q',
  project_id: 'a/b',
  name: 'n',
  description: '',
  scorer_refs: [],
  created_at: '2026-01-01T00:00:00Z',
  created_by: null,
  updated_at: '2026-01-01T00:00:00Z',
  deleted_at: null,
}

test.each<[ProbeOutcome, string, string, Fetch]>([
  ['read', 'Costs', 'a record', respond(200, { results: [cost] })],
  ['empty', 'Costs', 'no record', respond(200, { results: [] })],
  ['ignores-limit', 'Costs', 'two records', respond(200, { results: [cost, cost] })],
  ['unexpected', 'Costs', 'another object', respond(200, { unrelated: true })],
  ['unexpected', 'Costs', 'records of something else', respond(200, { results: [{ city: 'Berlin' }] })],
  ['unexpected', 'Costs', 'a web page', page],
  ['unexpected', 'Costs', 'nothing', lines('')],
  ['read', 'Threads', 'a line', lines('{"thread_id":"t"}\n')],
  ['read', 'Threads', 'a line without its newline', lines('{"thread_id":"t"}')],
  ['read', 'Threads', 'a list', respond(200, [{ thread_id: 't' }])],
  ['read', 'Threads', 'a list in an object', respond(200, { threads: [{ thread_id: 't' }] })],
  ['empty', 'Threads', 'no line', lines('')],
  ['empty', 'Threads', 'an empty list', respond(200, [])],
  ['empty', 'Threads', 'an empty list in an object', respond(200, { threads: [] })],
  ['ignores-limit', 'Threads', 'two lines', lines('{"thread_id":"t"}\n{"thread_id":"u"}\n')],
  ['unexpected', 'Threads', 'a web page', page],
  ['unexpected', 'Threads', 'a web page of several lines', send('<!doctype html>\n<title>x</title>\n', 'text/html')],
  ['unexpected', 'Threads', 'an empty web page', send('', 'text/html')],
  ['unexpected', 'Threads', 'an error with the status of a success', respond(200, { error: 'no such index' })],
  ['unexpected', 'Threads', 'a thread without its id', respond(200, [{ turn_count: 1 }])],
  ['unexpected', 'Threads', 'a text', send('OK', 'text/plain')],
  ['read', 'List queues', 'a line', lines(JSON.stringify(queue))],
  ['unexpected', 'List queues', 'records of something else', respond(200, { results: [] })],
  ['unauthorized', 'Costs', '401', respond(401)],
  ['forbidden', 'Threads', '403', respond(403)],
  ['missing', 'List queues', '404', respond(404)],
  ['wrong-method', 'Threads', '405', respond(405)],
  ['rejected', 'Costs', '422', respond(422)],
  ['throttled', 'Costs', '429', respond(429)],
  ['busy', 'Costs', '503', respond(503)],
  ['failed', 'Costs', '500', respond(500)],
  ['redirected', 'Costs', 'a redirect', redirect],
  ['unreachable', 'Costs', 'no response', noResponse],
])('%s: %s responds with %s', async (expected, operation, _, fetch) => {
  expect((await run(operation, fetch)).outcome).toBe(expected)
})

test.each<[ProbeOutcome, string, Fetch]>([
  ['exists', '204 that names POST', async () => new Response(null, { status: 204, headers: { allow: 'OPTIONS, POST' } })],
  ['exists', '405 that names POST', respond(405, problems, { allow: 'POST' })],
  ['exists', '405 that names nothing, to GET too', elsewhere404(respond(405))],
  ['exists', '422 to GET', elsewhere404(respond(422))],
  ['untold', '405 to any GET', respond(405)],
  ['untold', '400 to any unknown request', respond(400)],
  ['untold', '401 to any unknown request', respond(401)],
  ['untold', '500 to any unknown request', respond(500)],
  ['untold', '404 to OPTIONS and GET', respond(404)],
  ['untold', 'a redirect of any unknown request', redirect],
  ['untold', 'the same page for every path', page],
  [
    'exists',
    'no response to OPTIONS, and 405 to GET',
    elsewhere404(async (_, init) => (init?.method === 'GET' ? respond(405)() : noResponse())),
  ],
  [
    'exists',
    '405 to GET, and lets no page read the rest, as a Spool at another origin',
    async (url, init) => (String(url).endsWith('/annotation_queues') && init?.method === 'GET' ? respond(405)() : noResponse()),
  ],
  ['unreachable', 'no response', noResponse],
])('creating queues %s: the server responds with %s', async (expected, _, fetch) => {
  const methods: unknown[] = []
  const { outcome } = await run('Create queues', async (url, init) => {
    if (init?.mode !== 'no-cors') methods.push(init?.method)
    return await fetch(url, init)
  })
  expect(outcome).toBe(expected)
  // A POST could create a queue.
  expect(methods).not.toContain('POST')
})

test('a server that responds only without CORS does not allow this page', async () => {
  const fetch: Fetch = async (_, init) => (init?.mode === 'no-cors' ? new Response(null) : noResponse())
  expect((await run('Costs', fetch)).outcome).toBe('cors')
  // The server of this page is never a matter of CORS.
  expect((await run('Costs', fetch, { baseUrl: '' })).outcome).toBe('unreachable')
})

test('where the response to another operation can be read, CORS is not the cause', async () => {
  const blocked = await run('Threads', async (_, init) => (init?.mode === 'no-cors' ? new Response(null) : noResponse()))
  const read = await run('Costs', respond(200, { results: [cost] }))
  expect(compareResult(blocked, [blocked, read]).outcome).toBe('unreadable')
  expect(compareResult(blocked, [blocked, blocked]).outcome).toBe('cors')
})

test('a password that all others refuse is wrong for the operation that is not called, too', async () => {
  const uncalled = await run('Create queues', elsewhere404(respond(405)))
  const refused = await run('Costs', respond(401))
  expect(compareResult(uncalled, [uncalled, refused, refused]).outcome).toBe('unauthorized')
  // Some servers say 401 to what they do not know.
  expect(compareResult(uncalled, [uncalled, refused, await run('Threads', respond(403))]).outcome).toBe('exists')
  expect(compareResult(uncalled, [uncalled]).outcome).toBe('exists')
})

test('a password never goes over plain http to another host', async () => {
  const fetch = vi.fn(respond(200))
  for (const { operation } of probes) {
    expect((await run(operation, fetch, { baseUrl: 'http://spool.example.com' })).outcome).toBe('exposed')
  }
  expect(fetch).not.toHaveBeenCalled()
})

test('a response after more than two seconds is slow', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const late = async () => {
    await vi.advanceTimersByTimeAsync(2100)
    return Response.json({ results: [cost] })
  }
  expect(describeProbeResult(await run('Costs', late), { isOptional: false })).toMatchObject({
    tone: 'warn',
    title: 'Fine (slow)',
  })
})

const describeRun = async (operation: string, fetch: Fetch, isOptional = false) =>
  describeProbeResult(await run(operation, fetch), { isOptional })

test('a body that breaks off is a failure', async () => {
  const cut: Fetch = async () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"thread_id":"t"}\n')),
        pull: (controller) => controller.error(new TypeError('network error')),
      }),
    )
  expect(await describeRun('Threads', cut)).toMatchObject({
    tone: 'bad',
    title: 'Failed',
    advice: expect.stringContaining('ended before'),
  })
  expect(await describeRun('Costs', cut)).toMatchObject({ tone: 'bad', title: 'Failed' })
})

test('what came instead is named', async () => {
  expect(await describeRun('Costs', page)).toMatchObject({
    title: 'Not this kind of service',
    advice: expect.stringContaining('“Grafana”'),
  })
  expect((await describeRun('Costs', respond(200, { city: 'Berlin', sun: 1 }))).advice).toContain('city, sun')
  expect((await describeRun('Threads', respond(200, { error: 'no such index' }))).advice).toContain('“no such index”')
  expect((await describeRun('Costs', respond(500, { message: 'disk full' }))).advice).toContain('disk full')
  expect(await describeRun('Costs', respond(500))).toMatchObject({ title: 'Failed (500)' })
  expect((await describeRun('Costs', redirect)).advice).toBe('Enter the address that it leads to: https://new.example.com/base')
})

test('an optional operation that fails is a warning, a main operation an error', async () => {
  for (const status of [401, 403, 404, 500]) {
    expect(await describeRun('List queues', respond(status), true)).toMatchObject({
      tone: 'warn',
      advice: 'Everything else works without it.',
    })
    expect((await describeRun('Costs', respond(status))).tone).toBe('bad')
  }
})
