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
const answer =
  (status: number, body: unknown = problems) =>
  async () =>
    Response.json(body, { status })
const noAnswer = async (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))

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
  ['fine', costs, answer(200, { results: [] })],
  ['fine', threads, async () => new Response('')],
  ['fine', create, answer(422)],
  ['fine', list, async () => new Response('')],
  ['unauthorized', costs, answer(401)],
  ['forbidden', threads, answer(403)],
  ['missing', list, answer(404)],
  ['missing', threads, answer(405)],
  ['refused', costs, answer(422)],
  ['busy', costs, answer(503)],
  ['failed', costs, answer(500)],
  ['misfit', costs, answer(200, { unrelated: true })],
  ['misfit', costs, async () => new Response('<html>')],
  ['misfit', create, answer(200, { id: 'made' })],
  ['unreachable', costs, noAnswer],
])('tells %s', async (expected, probe, fetch) => {
  expect(await outcomeOf(probe, fetch)).toBe(expected)
})

test('a server that answers only unreadably does not allow this page', async () => {
  const fetch = async (_: string | URL, { mode }: RequestInit) => (mode === 'no-cors' ? new Response(null) : noAnswer())
  expect(await outcomeOf(costs, fetch)).toBe('cors')
})

test('a password never goes over plain http to another host', async () => {
  const fetch = vi.fn(answer(200))
  expect(await outcomeOf(costs, fetch, { baseUrl: 'http://spool.example.com' })).toBe('exposed')
  expect(fetch).not.toHaveBeenCalled()
})

test('more than two seconds is slow', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const late = async () => {
    await vi.advanceTimersByTimeAsync(2100)
    return Response.json({ results: [] })
  }
  expect(await outcomeOf(costs, late)).toBe('slow')
})

test('the create that is tried makes nothing', async () => {
  const fetch = vi.fn(async (_url: string | URL, _init: RequestInit) => answer(422)())
  await outcomeOf(create, fetch)
  expect(fetch.mock.calls[0]?.[1].body).toBe('{"project_id":"a/b"}')
})

test('a missing list is a pity, a missing main operation is a failure', () => {
  if (!list || !costs) throw new Error('no such probe')
  const result = { outcome: 'missing' as const, durationMs: 1, message: undefined }
  expect(describeProbeResult(result, list).tone).toBe('warn')
  expect(describeProbeResult(result, costs).tone).toBe('bad')
})
