// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { describeProbeResult } from './describe-probe-result'
import { type ProbeOutcome, type Probe, probes, runProbe } from './probes'

const connection = { id: 'a', name: 'a', baseUrl: 'https://spool.example.com', username: 'ann', password: 'x', projectId: 'a/b' }
const [costs, threads, create, list] = probes

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const problems = { detail: [{ loc: ['body', 'name'], msg: 'Field required.', type: 'missing' }] }
const respond =
  (status: number, body: unknown = problems) =>
  async () =>
    Response.json(body, { status })
const noResponse = async (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))

async function outcomeOf(
  probe: Probe | undefined,
  fetch: (url: string | URL, init: RequestInit) => Promise<Response>,
  change = {},
): Promise<ProbeOutcome> {
  vi.stubGlobal('fetch', fetch)
  if (!probe) throw new Error('no such probe')
  return (await runProbe(probe, { ...connection, ...change }, new AbortController().signal)).outcome
}

test.each<[ProbeOutcome, Probe | undefined, () => Promise<Response>]>([
  ['fine', costs, respond(200, { results: [] })],
  ['fine', threads, async () => new Response('')],
  ['fine', create, respond(422)],
  ['fine', list, async () => new Response('')],
  ['unauthorized', costs, respond(401)],
  ['forbidden', threads, respond(403)],
  ['missing', list, respond(404)],
  ['missing', threads, respond(405)],
  ['rejected', costs, respond(422)],
  ['busy', costs, respond(503)],
  ['failed', costs, respond(500)],
  ['unexpected', costs, respond(200, { unrelated: true })],
  ['unexpected', costs, async () => new Response('<html>')],
  ['unexpected', create, respond(200, { id: 'made' })],
  ['unreachable', costs, noResponse],
])('the outcome %s', async (expected, probe, fetch) => {
  expect(await outcomeOf(probe, fetch)).toBe(expected)
})

test('a server that responds only without CORS does not allow this page', async () => {
  const fetch = async (_: string | URL, { mode }: RequestInit) => (mode === 'no-cors' ? new Response(null) : noResponse())
  expect(await outcomeOf(costs, fetch)).toBe('cors')
})

test('a password never goes over plain http to another host', async () => {
  const fetch = vi.fn(respond(200))
  expect(await outcomeOf(costs, fetch, { baseUrl: 'http://spool.example.com' })).toBe('exposed')
  expect(fetch).not.toHaveBeenCalled()
})

test('a response after more than two seconds is slow', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const late = async () => {
    await vi.advanceTimersByTimeAsync(2100)
    return Response.json({ results: [] })
  }
  expect(await outcomeOf(costs, late)).toBe('slow')
})

test('the probe for creating queues sends a request that cannot create one', async () => {
  const fetch = vi.fn(async (_url: string | URL, _init: RequestInit) => respond(422)())
  await outcomeOf(create, fetch)
  expect(fetch.mock.calls[0]?.[1].body).toBe('{"project_id":"a/b"}')
})

test('a missing optional operation is a warning, a missing main operation is an error', () => {
  if (!list || !costs) throw new Error('no such probe')
  const result = { outcome: 'missing' as const, durationMs: 1, message: undefined }
  expect(describeProbeResult(result, list).tone).toBe('warn')
  expect(describeProbeResult(result, costs).tone).toBe('bad')
})
