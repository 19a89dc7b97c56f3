import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const projectId = 'acme/support'
const toCallId = (number: number) => number.toString(16).padStart(16, '0')
const start = (id: string, more: object = {}) => {
  const own = { project_id: projectId, id, trace_id: `${id}${id}`, op_name: 'answer', attributes: {}, inputs: {} }
  return { start: { ...own, started_at: '2026-01-01T00:00:00Z', ...more } }
}
const end = (id: string, more: object = {}) => ({
  end: { project_id: projectId, id, ended_at: '2026-01-01T00:00:01Z', summary: {}, ...more },
})
const rename = (id: string, name: unknown) =>
  service.post('/call/update', { project_id: projectId, call_id: id, display_name: name })

async function readName(id: string): Promise<unknown> {
  const response = await service.post('/call/read', { project_id: projectId, id })
  const { call } = (await response.json()) as { call: { display_name: unknown } } // the service validates its responses by the contract
  return call.display_name
}

test('a call has the name that was given last', async () => {
  const id = toCallId(1)
  await service.post('/call/start', start(id, { display_name: 'zuerst' }))
  expect(await readName(id)).toBe('zuerst')
  for (const name of ['zz', 'ein Name – 名前 😀', 'a']) {
    service.clock.offsetMs += 1000
    expect((await rename(id, name)).status).toBe(200)
    expect(await readName(id)).toBe(name)
  }
})

test('the name that was given last counts, however often the clock is set back', async () => {
  const id = toCallId(0x20)
  await service.post('/call/start', start(id, { display_name: 'zuerst' }))
  for (const name of ['zz', 'b', '', 'a']) {
    await rename(id, name)
    expect(await readName(id)).toBe(name || null)
    service.clock.offsetMs -= 3_600_000
  }
  service.clock.offsetMs = 0
})

test('an empty name removes the name, no name changes nothing', async () => {
  const id = toCallId(2)
  await service.post('/call/start', start(id, { display_name: 'zuerst' }))
  await rename(id, 'dann')
  service.clock.offsetMs += 1000
  expect((await rename(id, null)).status).toBe(200)
  expect((await service.post('/call/update', { project_id: projectId, call_id: id })).status).toBe(200)
  expect(await readName(id)).toBe('dann')
  await rename(id, '')
  expect(await readName(id)).toBeNull()
})

test('a name sent with the end is replaced by a later name, in any order of arrival', async () => {
  const parts = [
    (id: string) => service.post('/call/start', start(id, { display_name: 'zuerst' })),
    (id: string) => service.post('/call/end', end(id, { display_name: 'am Ende' })),
    (id: string) => rename(id, 'danach'),
  ]
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]
  for (const [index, order] of orders.entries()) {
    const id = toCallId(10 + index)
    for (const part of order) expect((await parts[part]?.(id))?.status).toBe(200)
    expect(await readName(id), order.join()).toBe('danach')
  }
  const id = toCallId(20)
  await service.post('/call/end', end(id, { display_name: 'am Ende' }))
  await service.post('/call/start', start(id, { display_name: 'zuerst' }))
  expect(await readName(id)).toBe('am Ende')
})

test('a name alone makes no call, and an invalid request fails with the place of the problem', async () => {
  const id = toCallId(30)
  await rename(id, 'noch nicht da')
  const response = await service.post('/call/read', { project_id: projectId, id })
  expect(await response.json()).toEqual({ call: null })
  for (const [body, loc] of [
    [{ project_id: projectId, display_name: 'x' }, ['body', 'call_id']],
    [{ project_id: projectId, call_id: 'no id', display_name: 'x' }, ['body', 'call_id']],
    [{ project_id: projectId, call_id: id, display_name: 7 }, ['body', 'display_name']],
    [{ project_id: projectId, call_id: id, display_name: 'x'.repeat(1025) }, ['body', 'display_name']],
    [{ call_id: id, display_name: 'x' }, ['body', 'project_id']],
  ] as const) {
    const updated = await service.post('/call/update', body)
    expect(updated.status).toBe(422)
    expect(await updated.json()).toMatchObject({ detail: [{ loc }] })
  }
  const secret = { project_id: 'other/secret', call_id: id, display_name: 'x' }
  expect((await service.post('/call/update', secret, reviewer)).status).toBe(403)
})
