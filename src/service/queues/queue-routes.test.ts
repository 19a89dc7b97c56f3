import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { administrator, basic, parseJsonLines, openTestApp, reviewer, type TestApp } from '../testing/test-app'

let service: TestApp
let project = ''
let count = 0
beforeAll(async () => {
  service = await openTestApp()
})
beforeEach(() => {
  project = `acme/q${(count += 1)}`
})
afterAll(() => service.close())

const helpful = 'weave:///acme/support/scorer/Helpfulness:v3'
type Detail = { loc: string[]; msg: string; type: string }[]

async function post(
  fields: Record<string, unknown>,
  headers: Record<string, string> = {},
  user: { username: string; password: string } = administrator,
) {
  const response = await service.post(
    '/annotation_queues',
    { project_id: project, name: 'n', scorer_refs: [], ...fields },
    user,
    headers,
  )
  const body: { id: string; detail: Detail } = await response.json()
  return { status: response.status, ...body, found: body.detail?.map(({ loc, type }) => [loc.join('.'), type]) }
}
async function list(fields: Record<string, unknown> = {}) {
  const response = await service.post('/annotation_queues/query', { project_id: project, ...fields })
  expect(response.headers.get('content-type')).toBe('application/jsonl')
  return parseJsonLines(await response.text()) as { id: string; name: string; created_by: string }[] // the app checks each by the contract
}
const read = (id: string, projectId = project, user: { username: string; password: string } = administrator) =>
  service.send(`/annotation_queues/${id}?project_id=${encodeURIComponent(projectId)}`, {}, user)

describe('POST /annotation_queues', () => {
  test('stores a queue and returns its id; later ids are greater', async () => {
    const refs = [helpful, 'a+b.c:///é/p 1/object/x%20y:latest'.replace(' ', '_'), helpful]
    const { status, id } = await post({ name: '  Rëview 😀 ', description: ' as sent ', scorer_refs: refs })
    expect([status, id]).toEqual([
      200,
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    ])
    const { queue }: { queue: Record<string, unknown> } = await (await read(id)).json()
    expect(queue).toEqual({
      id,
      project_id: project,
      name: 'Rëview 😀',
      description: ' as sent ',
      scorer_refs: refs,
      created_at: expect.stringMatching(/Z$/),
      created_by: 'admin',
      updated_at: queue['created_at'],
      deleted_at: null,
      reviews_per_item: 1,
      assignees: [],
      archived: false,
    })
    expect((await post({})).id > id).toBe(true)
  })

  test('two posts make two queues, created by the authenticated user', async () => {
    const [one, two] = [await post({ wb_user_id: 'somebody else' }), await post({ platform_user_id: 1 })]
    expect(one.id).not.toBe(two.id)
    expect((await list()).map(({ created_by: user }) => user)).toEqual(['admin', 'admin'])
  })

  test.each([
    ['255 characters beyond the basic plane', '😀'.repeat(255)],
    ['blanks around', ` ${'x'.repeat(255)}\t`],
    ['quotes and braces', `'"{x:String}\\n`],
  ])('accepts a name of %s', async (_, name) => {
    const { id } = await post({ name })
    const { queue }: { queue: { name: string } } = await (await read(id)).json()
    expect(queue.name).toBe(name.trim())
  })

  test.each([
    ['an empty name', { name: ' \t ' }, [['body.name', 'string_too_short']]],
    ['a long name', { name: 'x'.repeat(256) }, [['body.name', 'string_too_long']]],
    ['no name', { name: undefined }, [['body.name', 'missing']]],
    ['a name that is no text', { name: 5 }, [['body.name', 'string_type']]],
    ['a long description', { description: 'x'.repeat(65_537) }, [['body.description', 'string_too_long']]],
    ['null for a description', { description: null }, [['body.description', 'string_type']]],
    ['refs that are no list', { scorer_refs: helpful }, [['body.scorer_refs', 'list_type']]],
    ['no refs', { scorer_refs: undefined }, [['body.scorer_refs', 'missing']]],
    ['too many refs', { scorer_refs: Array(101).fill(helpful) }, [['body.scorer_refs', 'too_long']]],
    [
      'bad refs among good ones',
      { scorer_refs: [helpful, 'x', helpful, ''] },
      [
        ['body.scorer_refs.1', 'value_error'],
        ['body.scorer_refs.3', 'value_error'],
      ],
    ],
    ['an unknown field', { id: 'mine' }, [['body.id', 'extra_forbidden']]],
    ['a project that is none', { project_id: 'acme' }, [['body.project_id', 'value_error']]],
    [
      'everything at once',
      { project_id: 1, name: '', description: [], scorer_refs: {}, more: null },
      [
        ['body.project_id', 'string_type'],
        ['body.name', 'string_too_short'],
        ['body.scorer_refs', 'list_type'],
        ['body.description', 'string_type'],
        ['body.more', 'extra_forbidden'],
      ],
    ],
  ])('rejects %s and stores nothing', async (_, fields, found) => {
    const reply = await post(fields)
    expect([reply.status, reply.found]).toEqual([422, found])
    expect(await list()).toEqual([])
  })

  test('the message for an invalid reference shows the expected form', async () => {
    const { detail } = await post({ scorer_refs: ['weave:///acme/support/op/x:v1'] })
    expect(detail[0]?.msg).toContain('weave:///<entity>/<project>/object/<name>:<version>')
  })

  test('hostile values are stored unchanged or rejected, and the service keeps working', async () => {
    const deep = '{"a":'.repeat(100_000)
    expect((await service.post('/annotation_queues', deep)).status).toBe(422)
    expect(
      (await service.post('/annotation_queues', `{"project_id":"${project}","name":"n","scorer_refs":[],"__proto__":{}}`)).status,
    ).toBe(422)
    const { id } = await post({ description: "'; DROP TABLE queues; -- {project_id:String} \u0000 \\ 😀" })
    const { queue }: { queue: { description: string } } = await (await read(id)).json()
    expect(queue.description).toBe("'; DROP TABLE queues; -- {project_id:String} \u0000 \\ 😀")
    expect((await post({ description: 'x'.repeat(65_536) })).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'k-1' }

  test('makes one queue of the same body, in any order of its fields', async () => {
    const first = await post({ scorer_refs: [helpful] }, key)
    const again = await service.post(
      '/annotation_queues',
      { description: '', scorer_refs: [helpful], name: ' n ', project_id: project, wb_user_id: 'x' },
      administrator,
      key,
    )
    expect(await again.json()).toEqual({ id: first.id })
    expect(await list()).toHaveLength(1)
  })

  test('rejects another body', async () => {
    await post({}, key)
    const other = await post({ name: 'other' }, key)
    expect([other.status, other.found]).toEqual([409, [['header.idempotency-key', 'idempotency_conflict']]])
    expect(await list()).toHaveLength(1)
  })

  test('sent many times at once makes one queue', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post({}, key)))
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
    expect(await list()).toHaveLength(1)
  })

  test('is remembered only for successful requests', async () => {
    expect((await post({ name: '' }, key)).status).toBe(422)
    expect((await post({}, key)).status).toBe(200)
  })

  test('belongs to one user and one project', async () => {
    const ids = new Set([
      (await post({}, key)).id,
      (await post({ project_id: 'acme/support' }, key)).id,
      (await post({ project_id: 'acme/support' }, key, reviewer)).id,
    ])
    expect(ids.size).toBe(3)
  })

  test('is remembered for 24 hours, also after a restart', async () => {
    const { id } = await post({}, key)
    await service.restart()
    expect((await post({}, key)).id).toBe(id)
    service.clock.offsetMs = 23.9 * 60 * 60 * 1000
    expect((await post({}, key)).id).toBe(id)
    service.clock.offsetMs = 24.1 * 60 * 60 * 1000
    expect((await post({ name: 'the day after' }, key)).id).not.toBe(id)
    service.clock.offsetMs = 0
  })

  test.each([['x'.repeat(256)], ['two words'], ['']])('rejects the key %j', async (value) => {
    const reply = await post({}, { 'idempotency-key': value })
    expect([reply.status, reply.found]).toEqual([422, [['header.idempotency-key', 'value_error']]])
  })
})

describe('POST /annotation_queues/query', () => {
  beforeEach(async () => {
    // One after the other, so that the order is known.
    for (const name of ['beta', 'Alpha', 'é 100%', 'beta']) await post({ name })
  })
  const names = async (fields: Record<string, unknown> = {}) => (await list(fields)).map(({ name }) => name)

  test('lists the newest first, also when the clock was set back', async () => {
    expect(await names()).toEqual(['beta', 'é 100%', 'Alpha', 'beta'])
    service.clock.offsetMs = -3_600_000
    await post({ name: 'last' })
    service.clock.offsetMs = 0
    expect((await names())[0]).toBe('last')
  })

  test('finds a substring of a name, literally and in any case', async () => {
    expect(await names({ name: 'ALPH' })).toEqual(['Alpha'])
    expect(await names({ name: 'É' })).toEqual(['é 100%'])
    expect(await names({ name: '%' })).toEqual(['é 100%'])
    expect(await names({ name: '_' })).toEqual([])
    expect(await names({ name: null })).toHaveLength(4)
  })

  test('sorts by every field, text by its bytes, equal rows by id', async () => {
    expect(await names({ sort_by: [{ field: 'name', direction: 'asc' }] })).toEqual(['Alpha', 'beta', 'beta', 'é 100%'])
    const ids = (await list({ sort_by: [{ field: 'id', direction: 'desc' }] })).map(({ id }) => id)
    expect(ids).toEqual((await list({ sort_by: [{ field: 'created_at', direction: 'asc' }] })).map(({ id }) => id).toReversed())
    const sameName = (await list({ sort_by: [{ field: 'name', direction: 'desc' }] }))
      .filter(({ name }) => name === 'beta')
      .map(({ id }) => id)
    expect(sameName).toEqual(sameName.toSorted())
  })

  test('returns pages by limit and offset', async () => {
    expect(await names({ limit: 2, offset: 1 })).toEqual(['é 100%', 'Alpha'])
    expect(await names({ limit: 0 })).toEqual([])
    expect(await names({ offset: 3 })).toEqual(['beta'])
    const response = await service.post('/annotation_queues/query', { project_id: project, offset: 9 })
    expect(await response.text()).toBe('')
  })

  test.each([
    [{ sort_by: [{ field: 'description', direction: 'asc' }] }, 'body.sort_by.0.field'],
    [{ limit: 1.5 }, 'body.limit'],
    [{ name: 5 }, 'body.name'],
    [{ names: [] }, 'body.names'],
  ])('rejects %j before the first byte of the response', async (fields, loc) => {
    const response = await service.post('/annotation_queues/query', { project_id: project, ...fields })
    const { detail }: { detail: Detail } = await response.json()
    expect([response.status, detail.map((each) => each.loc.join('.'))]).toEqual([422, [loc]])
  })

  test('returns no queues of other projects', async () => {
    const response = await service.post('/annotation_queues/query', { project_id: 'acme/empty' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('GET /annotation_queues/{id}', () => {
  test('finds a queue only in its own project', async () => {
    const { id } = await post({})
    expect((await read(id)).status).toBe(200)
    const elsewhere = await read(id, 'acme/elsewhere')
    const { detail }: { detail: Detail } = await elsewhere.json()
    expect([elsewhere.status, detail[0]?.loc]).toEqual([404, ['path', 'queue_id']])
    expect((await read('none')).status).toBe(404)
    expect((await read(encodeURIComponent("'; DROP TABLE queues"))).status).toBe(404)
    expect((await read(id, project, reviewer)).status).toBe(403)
  })

  test('requires exactly one project', async () => {
    const { id } = await post({})
    for (const [query, type] of [
      ['', 'missing'],
      ['?project_id=a%2Fb&project_id=c%2Fd', 'string_type'],
      ['?project_id=a', 'value_error'],
    ]) {
      const response = await service.send(`/annotation_queues/${id}${query}`)
      const { detail }: { detail: Detail } = await response.json()
      expect([response.status, detail.map((each) => [each.loc.join('.'), each.type])]).toEqual([
        422,
        [['query.project_id', type]],
      ])
    }
  })
})

describe('PUT and DELETE /annotation_queues/{id}', () => {
  type Reply = { queue: Record<string, unknown>; detail?: Detail }
  async function put(id: string, fields: object, user = administrator as { username: string; password: string }) {
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' } }
    const response = await service.send(
      `/annotation_queues/${id}`,
      { ...init, body: JSON.stringify({ project_id: project, ...fields }) },
      user,
    )
    const { queue, detail = [] }: Reply = await response.json()
    return { status: response.status, queue, found: detail.map((each) => [each.loc.join('.'), each.type]) }
  }
  async function remove(id: string, projectId = project) {
    const response = await service.send(`/annotation_queues/${id}?project_id=${encodeURIComponent(projectId)}`, {
      method: 'DELETE',
    })
    const { queue }: Reply = await response.json()
    return { status: response.status, queue }
  }

  test('a change keeps what it does not name, also after the clock was set back', async () => {
    const { id } = await post({ name: 'before', description: 'kept', scorer_refs: [helpful] })
    service.clock.offsetMs = -3_600_000
    const { status, queue } = await put(id, { name: '  after ', description: null, reviews_per_item: 2 })
    service.clock.offsetMs = 0
    expect(status).toBe(200)
    expect(queue).toMatchObject({
      id,
      name: 'after',
      description: 'kept',
      scorer_refs: [helpful],
      reviews_per_item: 2,
      assignees: [],
    })
    expect(String(queue['updated_at']) > String(queue['created_at'])).toBe(true)
    await service.restart()
    expect(await (await read(id)).json()).toEqual({ queue })
    expect((await put(id, {})).queue).toEqual(queue)
    expect((await put(id, { scorer_refs: [], assignees: ['kim', 'lee', 'kim'] })).queue).toMatchObject({
      scorer_refs: [],
      assignees: ['kim', 'lee'],
    })
  })

  test('of changes of different fields at once none is lost', async () => {
    const { id } = await post({ name: 'before' })
    await Promise.all([put(id, { name: 'after' }), put(id, { description: 'new' }), put(id, { reviews_per_item: 5 })])
    expect((await put(id, {})).queue).toMatchObject({ name: 'after', description: 'new', reviews_per_item: 5 })
  })

  test.each([
    [{ name: ' ' }, [['body.name', 'string_too_short']]],
    [{ scorer_refs: ['x'] }, [['body.scorer_refs.0', 'value_error']]],
    [{ reviews_per_item: 0 }, [['body.reviews_per_item', 'value_error']]],
    [{ reviews_per_item: 6 }, [['body.reviews_per_item', 'value_error']]],
    [{ reviews_per_item: 1.5 }, [['body.reviews_per_item', 'value_error']]],
    [{ reviews_per_item: '2' }, [['body.reviews_per_item', 'float_parsing']]],
    [{ assignees: [''] }, [['body.assignees.0', 'string_too_short']]],
    [{ assignees: ['kim'], reviews_per_item: 2 }, [['body.assignees', 'value_error']]],
    [{ created_by: 'me' }, [['body.created_by', 'extra_forbidden']]],
  ])('rejects %j, in a new queue and in a change', async (fields, found) => {
    const { id } = await post({ reviews_per_item: 1 })
    expect(await put(id, fields)).toMatchObject({ status: 422, found })
    expect(await post(fields)).toMatchObject({ status: 422, found })
  })

  test('a deleted queue is gone, also after a restart, and its second deletion is 404', async () => {
    const { id } = await post({ name: 'gone' })
    const { status, queue } = await remove(id)
    expect([status, queue['deleted_at']]).toEqual([200, queue['updated_at']])
    await service.restart()
    expect((await remove(id)).status).toBe(404)
    expect((await read(id)).status).toBe(404)
    expect((await put(id, { name: 'back' })).status).toBe(404)
    expect(await list()).toEqual([])
  })

  const restore = async (id: string, projectId = project) => {
    const response = await service.post(`/annotation_queues/${id}/restore`, { project_id: projectId })
    const { queue }: Reply = await response.json()
    return { status: response.status, queue }
  }

  test('a deletion is undone: the queue is as it was, and a second restore changes nothing', async () => {
    const { id } = await post({ name: 'back', description: 'kept', reviews_per_item: 2, assignees: ['kim', 'lee'] })
    await put(id, { archived: true })
    const { queue: before } = (await (await read(id)).json()) as Reply
    await remove(id)
    const { status, queue } = await restore(id)
    expect([status, queue]).toEqual([200, { ...before, updated_at: queue['updated_at'], deleted_at: null }])
    expect(await (await read(id)).json()).toEqual({ queue })
    expect(await restore(id)).toEqual({ status: 200, queue })
    expect((await restore(id, 'acme/elsewhere')).status).toBe(404)
    expect((await restore('unknown')).status).toBe(404)
  })

  test('an archived queue is listed only where asked for, and can still be read and changed', async () => {
    const [{ id }, other] = [await post({ name: 'one' }), await post({ name: 'two' })]
    expect((await put(id, { archived: true })).queue).toMatchObject({ name: 'one', archived: true })
    const listIds = async (fields = {}) => (await list(fields)).map((queue) => queue.id)
    expect(await listIds()).toEqual([other.id])
    expect(await listIds({ archived: false })).toEqual([other.id])
    expect(await listIds({ archived: true })).toEqual([id])
    expect((await put(id, { name: 'three' })).queue).toMatchObject({ name: 'three', archived: true })
    await service.restart()
    expect(await listIds({ archived: true, name: 'three' })).toEqual([id])
    expect((await put(id, { archived: false })).queue).toMatchObject({ archived: false })
    expect(await listIds()).toEqual([other.id, id])
    expect((await put(id, { archived: 'yes' })).status).toBe(422)
  })

  test('nobody changes or deletes a queue of another project', async () => {
    const { id } = await post({})
    expect((await put(id, { project_id: 'acme/elsewhere', name: 'mine' })).status).toBe(404)
    expect((await put(id, { name: 'mine' }, reviewer)).status).toBe(403)
    expect((await remove(id, 'acme/elsewhere')).status).toBe(404)
    expect((await read(id)).status).toBe(200)
  })

  test('an Idempotency-Key covers how a queue is reviewed', async () => {
    const key = { 'idempotency-key': 'reviews' }
    const first = await post({ reviews_per_item: 2, assignees: ['kim', 'lee'] }, key)
    expect((await post({ reviews_per_item: 2, assignees: ['kim', 'lee'] }, key)).id).toBe(first.id)
    expect((await post({ reviews_per_item: 1 }, key)).status).toBe(409)
  })
})

test('every queue route needs credentials', async () => {
  for (const [method, path] of [
    ['POST', '/annotation_queues'],
    ['POST', '/annotation_queues/query'],
    ['GET', '/annotation_queues/x'],
    ['PUT', '/annotation_queues/x'],
    ['DELETE', '/annotation_queues/x'],
  ] as const) {
    expect((await service.app.request(path, { method })).status).toBe(401)
    expect((await service.send(path, { method: 'PATCH', headers: { authorization: basic(administrator) } })).status).toBe(405)
  }
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
