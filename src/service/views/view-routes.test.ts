import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxViewStateLength } from '../../contract/limits'
import { maxViewsPerProject, type SavedView } from '../../contract/views'
import { msToEngineTime } from '../store/engine-time'
import { administrator, openTestApp, reviewer, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

type User = typeof administrator | typeof reviewer
const send = (path: string, fields: object, user: User = administrator) =>
  service.post(`/views/${path}`, { project_id, ...fields }, user)

async function create(fields: object, user?: User): Promise<SavedView> {
  const response = await send('create', { page: 'threads', state: '', ...fields }, user)
  expect(response.status).toBe(200)
  return ((await response.json()) as { view: SavedView }).view // the app checks it by the contract
}

async function list(fields: object = {}): Promise<SavedView[]> {
  const response = await send('query', fields)
  expect(response.status).toBe(200)
  return ((await response.json()) as { views: SavedView[] }).views // as above
}

/** The status of a response, and the types of its problems. */
async function outcome(response: Response): Promise<unknown[]> {
  const { detail }: { detail?: { type: string }[] } = await response.json()
  return [response.status, ...(detail ?? []).map(({ type }) => type)]
}

test('a view has the query string of its page, and is listed by page and name', async () => {
  const slow = await create({ name: '  Slow  ', state: 'sort=-p99_turn_duration_ms&window=7d' }, reviewer)
  expect(slow).toMatchObject({
    page: 'threads',
    name: 'Slow',
    state: 'sort=-p99_turn_duration_ms&window=7d',
    created_by: reviewer.username,
  })
  const dear = await create({ page: 'costs', name: 'Slow', state: 'group=user' })
  const busy = await create({ name: 'Busy' })
  expect(await list()).toEqual([dear, busy, slow])
  expect(await list({ page: 'threads' })).toEqual([busy, slow])
  await service.restart()
  expect(await list({ page: 'costs' })).toEqual([dear])
})

test('a change keeps what it does not name, also after the clock was set back', async () => {
  const created = await create({ name: 'Changing', state: 'size=25' })
  service.clock.offsetMs -= 60_000
  const renamed = await send('update', { view_id: created.id, updated_at: created.updated_at, name: 'Changed' }, reviewer)
  const { view }: { view: SavedView } = await renamed.json()
  service.clock.offsetMs += 60_000
  expect(view).toMatchObject({ id: created.id, name: 'Changed', state: 'size=25', created_by: 'admin' })
  expect(Date.parse(view.updated_at)).toBeGreaterThan(Date.parse(created.updated_at))
  expect(await list()).toContainEqual(view)
})

test('of two people who change a view at once one is refused, and nothing is lost', async () => {
  const { id, updated_at } = await create({ name: 'Shared', state: 'size=25' })
  const change = (fields: object, user: User) => send('update', { view_id: id, updated_at, ...fields }, user)
  const responses = await Promise.all([change({ state: 'size=50' }, administrator), change({ name: 'Ours' }, reviewer)])
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const refused = responses.find(({ status }) => status === 409)
  expect(refused && (await outcome(refused))).toEqual([409, 'changed_since'])
  // The other one reads again, and its change is made to what the first one stored.
  const current = (await list()).find((view) => view.id === id)
  const again = await change({ updated_at: current?.updated_at, state: 'size=100', name: 'Both' }, reviewer)
  expect(again.status).toBe(200)
})

test('a name is unique on its page', async () => {
  const { id, updated_at } = await create({ name: 'Taken' })
  await create({ page: 'queues', name: 'Taken' })
  expect(await outcome(await send('create', { page: 'threads', name: ' Taken ', state: '' }))).toEqual([409, 'name_taken'])
  const other = await create({ name: 'Other' })
  const rename = { view_id: other.id, updated_at: other.updated_at, name: 'Taken' }
  expect(await outcome(await send('update', rename))).toEqual([409, 'name_taken'])
  // Its own name is free for it, and the name of a deleted view for all.
  expect((await send('update', { view_id: id, updated_at, name: 'Taken', state: 'a=1' })).status).toBe(200)
  expect((await send('delete', { view_id: id })).status).toBe(200)
  expect((await send('update', rename)).status).toBe(200)
  const pair = await Promise.all([1, 2].map(() => send('create', { page: 'costs', name: 'Twice', state: '' })))
  expect(new Set(pair.map(({ status }) => status))).toEqual(new Set([200, 409]))
})

test('a deleted view is gone, also after a restart', async () => {
  const { id, updated_at } = await create({ name: 'Gone' })
  expect((await send('delete', { view_id: id })).status).toBe(200)
  await service.restart()
  expect(await outcome(await send('delete', { view_id: id }))).toEqual([404, 'not_found'])
  expect(await outcome(await send('update', { view_id: id, updated_at }))).toEqual([404, 'not_found'])
  expect((await list()).map((view) => view.id)).not.toContain(id)
})

test.each([
  ['an unknown page', { page: 'admin' }],
  ['an empty name', { name: ' ' }],
  ['a name of 256 characters', { name: 'n'.repeat(256) }],
  ['a state that is too long', { state: 'a'.repeat(maxViewStateLength + 1) }],
  ['a state with a question mark before it', { state: '?size=25' }],
  ['a whole address', { state: 'size=25#code=1' }],
  ['a state with a line break', { state: 'size=25\nx' }],
  ['an unknown field', { is_default: true }],
])('%s is refused', async (_, fields) => {
  expect((await send('create', { page: 'threads', name: 'Refused', state: '', ...fields })).status).toBe(422)
})

test('a project has at most 200 views, and nobody reads or changes those of a project of others', async () => {
  const other = 'acme/other'
  const save = (index: number) => send('create', { project_id: other, page: 'threads', name: `View ${index}`, state: '' })
  for (const index of [0, 1]) expect((await save(index)).status).toBe(200)
  const rows = Array.from({ length: maxViewsPerProject - 2 }, (_, index) => ({
    project_id: other,
    id: `stored-${index}`,
    page: 'threads',
    name: `Stored ${index}`,
    state: '',
    created_by: 'test',
    version: Date.now(),
    updated_at: msToEngineTime(Date.now()),
    is_deleted: 0,
  }))
  await service.store.insert('views', rows)
  expect(await outcome(await save(maxViewsPerProject))).toEqual([409, 'too_many_views'])
  const [first] = await list({ project_id: other })
  const change = { view_id: first?.id, updated_at: first?.updated_at, name: 'Mine' }
  for (const [path, fields] of [
    ['create', { page: 'threads', name: 'x', state: '' }],
    ['query', {}],
    ['update', change],
    ['delete', { view_id: first?.id }],
  ] as const) {
    expect((await send(path, { project_id: other, ...fields }, reviewer)).status).toBe(403)
  }
  // The same id in a project of one's own is no view of that project.
  expect((await send('update', change, reviewer)).status).toBe(404)
  expect((await send('delete', { view_id: first?.id }, reviewer)).status).toBe(404)
  expect(await list({ project_id: other })).toContainEqual(first)
})
