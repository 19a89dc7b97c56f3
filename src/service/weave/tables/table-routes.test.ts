import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { openTestApp, reviewer, type TestApp } from '../../testing/test-app'
import { sql } from '../../store/sql'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

type Row = { digest: string; val: Record<string, unknown>; original_index: number }
type ResponseBody = {
  digest: string
  row_digests: string[]
  updated_row_digests: string[]
  rows: Row[]
  count: number
  tables: { digest: string; count: number }[]
  detail: { loc: string[]; msg: string; type: string }[]
}

async function post(path: string, body: object, user?: typeof reviewer): Promise<{ status: number; body: ResponseBody }> {
  const response = user ? await service.post(path, body, user) : await service.post(path, body)
  return { status: response.status, body: (await response.json()) as ResponseBody } // what the service itself checks by the contract
}

async function create(projectId: string, rows: object[]): Promise<ResponseBody> {
  const { status, body } = await post('/table/create', { table: { project_id: projectId, rows } })
  expect(status, JSON.stringify(body.detail)).toBe(200)
  return body
}
const query = async (projectId: string, digest: string, more: object = {}) =>
  (await post('/table/query', { project_id: projectId, digest, ...more })).body.rows
const valuesOf = async (projectId: string, digest: string, more: object = {}) =>
  (await query(projectId, digest, more)).map((row) => row.val)
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test('the rows of a table are returned in order as they were sent, with digest and position', async () => {
  const rows = [
    { text: 'naïve 😀', nested: { list: [1, null] } },
    {},
    { b: 1, a: 2 },
    { text: 'naïve 😀', nested: { list: [1, null] } },
  ]
  const table = await create('order/p', rows)
  expect(table.row_digests[3]).toBe(table.row_digests[0])
  expect(await query('order/p', table.digest)).toEqual(
    rows.map((val, index) => ({ val, digest: table.row_digests[index], original_index: index })),
  )
  expect((await post('/table/query_stats', { project_id: 'order/p', digest: table.digest })).body).toEqual({ count: 4 })
})

test.each([2 ** 63, -(2 ** 64), 1e20])(
  'rows with the number %d are returned with it, and sorted by what is beside it',
  async (number) => {
    const rows = [3, 1, 2].map((place) => ({ deep: { number }, place }))
    const { digest } = await create('numbers/p', rows)
    expect(await valuesOf('numbers/p', digest)).toEqual(rows)
    const sorted = await valuesOf('numbers/p', digest, { sort_by: [{ field: 'place', direction: 'asc' }] })
    expect(sorted.map(({ place }) => place)).toEqual([1, 2, 3])
  },
)

test('a row with the key __proto__ is returned unchanged', async () => {
  const response = await service.post('/table/create', '{"table":{"project_id":"proto/p","rows":[{"__proto__":{"a":1},"b":2}]}}')
  const { digest } = (await response.json()) as ResponseBody
  const text = await (await service.post('/table/query', { project_id: 'proto/p', digest })).text()
  expect(text).toContain('"val":{"__proto__":{"a":1},"b":2}')
})

test('the same rows in the same order are the same table; in another order they are another table', async () => {
  const [a, b] = [{ x: 1, y: { z: 2, w: 3 } }, { x: 2 }]
  const first = await create('same/p', [a, b])
  expect(await create('same/p', [{ y: { w: 3, z: 2 }, x: 1 }, b])).toEqual(first)
  expect((await create('same/p', [b, a])).digest).not.toBe(first.digest)
  const many = await Promise.all(numbers(10).map(() => create('same/q', [a, b])))
  expect(new Set(many.map(({ digest }) => digest))).toEqual(new Set([first.digest]))
  expect(await query('same/q', first.digest)).toHaveLength(2)
})

test('the digest of a table is the one that SDKs compute: SHA-256 over its row digests, in hexadecimal digits', async () => {
  const { digest, row_digests: digests } = await create('hex/p', [{ a: 1 }, { a: 'é' }])
  expect(digest).toBe(createHash('sha256').update(digests.join('')).digest('hex'))
})

test('a table that was stored under the digest of an older version is read under both, and is not stored again', async () => {
  const rows = numbers(5).map((n) => ({ n }))
  const { digest, row_digests: digests } = await create('new/p', rows)
  const older = Buffer.from(digest, 'hex').toString('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
  const project_id = 'old/p'
  await service.store.command(sql`INSERT INTO table_rows (project_id, digest, val, size_bytes)
SELECT ${project_id}, digest, val, size_bytes FROM table_rows WHERE project_id = 'new/p'`)
  const positions = digests.map((row_digest, position) => ({ project_id, table_digest: older, position, row_digest }))
  await service.store.insert('table_positions', positions)
  await service.store.insert('tables', [{ project_id, digest: older, row_count: 5 }])
  for (const either of [digest, older]) {
    expect(await valuesOf(project_id, either)).toEqual(rows)
    expect(await valuesOf(project_id, either, { sort_by: [{ field: 'n', direction: 'desc' }], limit: 1 })).toEqual([{ n: 4 }])
    expect((await post('/table/query_stats', { project_id, digest: either })).body).toEqual({ count: 5 })
    const { body } = await post('/table/update', { project_id, base_digest: either, updates: [{ append: { row: { n: 5 } } }] })
    expect(await valuesOf(project_id, body.digest)).toEqual([...rows, { n: 5 }])
  }
  expect((await post('/table/query_stats_batch', { project_id, digests: [older, digest] })).body.tables).toEqual([
    { digest: older, count: 5 },
    { digest, count: 5 },
  ])
  expect((await create(project_id, rows)).digest).toBe(digest)
  const stored = await service.store.query(
    sql`SELECT count() AS count FROM table_positions WHERE project_id = ${project_id} AND position = 0`,
    z.object({ count: z.string() }),
  )
  // The older table, and the one that the update made.
  expect(stored).toEqual([{ count: '2' }])
})

test('rows that are stored become one table by their digests, more of them than one request can carry', async () => {
  const { row_digests: digests } = await create(
    'join/p',
    numbers(3).map((n) => ({ n })),
  )
  const row_digests = numbers(250_000).map((index) => digests[index % 3])
  const { status, body } = await post('/table/create_from_digests', { project_id: 'join/p', row_digests })
  expect(status, JSON.stringify(body.detail)).toBe(200)
  expect(body.digest).toBe(createHash('sha256').update(row_digests.join('')).digest('hex'))
  expect((await post('/table/query_stats', { project_id: 'join/p', digest: body.digest })).body.count).toBe(250_000)
  expect(await valuesOf('join/p', body.digest, { offset: 249_998 })).toEqual([{ n: 2 }, { n: 0 }])
})

test('a table may be empty', async () => {
  const { digest, row_digests } = await create('empty/p', [])
  expect(row_digests).toEqual([])
  expect(await query('empty/p', digest)).toEqual([])
})

test('pages and filters keep the order of the table', async () => {
  const { digest, row_digests } = await create(
    'pages/p',
    numbers(10).map((n) => ({ n })),
  )
  const page = async (more: object) => (await valuesOf('pages/p', digest, more)).map(({ n }) => n)
  expect(await page({ limit: 3, offset: 4 })).toEqual([4, 5, 6])
  expect(await page({ offset: 8 })).toEqual([8, 9])
  expect(await page({ offset: 100 })).toEqual([])
  expect(await page({ limit: 0 })).toEqual([])
  const filter = { row_digests: [row_digests[7], row_digests[2], row_digests[5], 'unknown'] }
  expect(await page({ filter })).toEqual([2, 5, 7])
  expect(await page({ filter, limit: 1, offset: 1 })).toEqual([5])
  expect(await page({ filter: { row_digests: [] }, limit: 2 })).toEqual([0, 1])
})

test('rows sort by a path: numbers before text, missing and null last in both directions, equal rows in table order', async () => {
  const marks = [{ m: 10 }, { m: 9.5 }, { m: 'b' }, { m: null }, {}, { m: 'a' }, { m: 9.5 }, { m: -1 }]
  const { digest } = await create(
    'sort/p',
    marks.map((mark, n) => ({ n, 'odd\' "key': mark })),
  )
  const sorted = async (direction: string, more: object = {}) => {
    const rows = await query('sort/p', digest, { sort_by: [{ field: 'odd\' "key.m', direction }], ...more })
    return rows.map((row) => row.val['n'])
  }
  expect(await sorted('asc')).toEqual([7, 1, 6, 0, 5, 2, 3, 4])
  expect(await sorted('desc')).toEqual([0, 1, 6, 7, 2, 5, 3, 4])
  expect(await sorted('asc', { limit: 2, offset: 1 })).toEqual([1, 6])
})

test('appends, pops and inserts are applied one after another', async () => {
  const { digest } = await create('update/p', [{ n: 0 }, { n: 1 }, { n: 2 }])
  const { status, body } = await post('/table/update', {
    project_id: 'update/p',
    base_digest: digest,
    updates: [
      { append: { row: { n: 3 } } },
      { pop: { index: 0 } },
      { insert: { index: 1, row: { n: 9 } } },
      { insert: { index: 4, row: { n: 10 } } },
    ],
  })
  expect(status).toBe(200)
  expect((await valuesOf('update/p', body.digest)).map(({ n }) => n)).toEqual([1, 9, 2, 3, 10])
  const rows = await query('update/p', body.digest)
  expect(body.updated_row_digests).toHaveLength(4)
  expect(body.updated_row_digests[0]).toBe(rows[3]?.digest)
  expect((await valuesOf('update/p', digest)).map(({ n }) => n)).toEqual([0, 1, 2])
  expect(
    (
      await create(
        'update/p',
        [1, 9, 2, 3, 10].map((n) => ({ n })),
      )
    ).digest,
  ).toBe(body.digest)
})

test('an impossible change is rejected with its path, and nothing is stored', async () => {
  const { digest } = await create('bad-update/p', [{ n: 0 }])
  const update = (updates: unknown[]) => post('/table/update', { project_id: 'bad-update/p', base_digest: digest, updates })
  expect(await update([{ append: { row: { unique: 'not stored' } } }, { pop: { index: 5 } }])).toMatchObject({
    status: 422,
    body: {
      detail: [{ loc: ['body', 'updates', '1', 'pop', 'index'], msg: 'The table has no position 5 at this change: at most 1.' }],
    },
  })
  expect(await update([{ pop: { index: 0 } }, { pop: { index: 0 } }])).toMatchObject({ status: 422 })
  expect(await update([{ insert: { index: 2, row: {} } }])).toMatchObject({ status: 422 })
  expect(await update([{ append: { row: [] } }])).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'updates', '0'] }] },
  })
  expect(await update([{ pop: { index: 0 }, append: { row: {} } }])).toMatchObject({ status: 422 })
  expect(await update(numbers(1001).map((n) => ({ insert: { index: 0, row: { n } } })))).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'updates'], type: 'too_long' }] },
  })
  const stored = await service.store.query(
    sql`SELECT count() AS count FROM table_rows WHERE project_id = 'bad-update/p'`,
    z.object({ count: z.string() }),
  )
  expect(stored).toEqual([{ count: '1' }])
})

test('a table can be made of stored rows only', async () => {
  const { row_digests: digests } = await create('digests/p', [{ n: 0 }, { n: 1 }])
  const turned = [digests[1], digests[0], digests[1]]
  const { status, body } = await post('/table/create_from_digests', { project_id: 'digests/p', row_digests: turned })
  expect(status).toBe(200)
  expect(body.digest).toBe((await create('digests/p', [{ n: 1 }, { n: 0 }, { n: 1 }])).digest)
  expect(await post('/table/create_from_digests', { project_id: 'digests/p', row_digests: [digests[0], 'x'] })).toMatchObject({
    status: 404,
    body: { detail: [{ loc: ['body', 'row_digests', '1'] }] },
  })
})

test('several tables are counted together, without unknown ones', async () => {
  const [one, two] = [await create('stats/p', [{ n: 0 }]), await create('stats/p', [{ n: 0 }, { n: 1 }])]
  const digests = [two.digest, 'unknown', one.digest]
  const { body } = await post('/table/query_stats_batch', { project_id: 'stats/p', digests })
  expect(new Map(body.tables.map(({ digest, count }) => [digest, count]))).toEqual(
    new Map([
      [one.digest, 1],
      [two.digest, 2],
    ]),
  )
  expect((await post('/table/query_stats_batch', { project_id: 'stats/p' })).body).toEqual({ tables: [] })
})

test('users cannot access the tables of other projects, even with a digest', async () => {
  const { digest, row_digests } = await create('other/secret', [{ secret: 1 }])
  for (const [path, body] of [
    ['/table/create', { table: { project_id: 'other/secret', rows: [] } }],
    ['/table/create_from_digests', { project_id: 'other/secret', row_digests }],
    ['/table/update', { project_id: 'other/secret', base_digest: digest, updates: [] }],
    ['/table/query', { project_id: 'other/secret', digest }],
    ['/table/query_stats', { project_id: 'other/secret', digest }],
    ['/table/query_stats_batch', { project_id: 'other/secret', digests: [digest] }],
  ] as const) {
    expect(await post(path, body, reviewer), path).toMatchObject({ status: 403 })
  }
  const mine = { project_id: 'acme/support', digest }
  expect(await post('/table/query', mine, reviewer)).toEqual({ status: 200, body: { rows: [] } })
  expect(await post('/table/query_stats', mine)).toEqual({ status: 200, body: { count: 0 } })
  expect((await post('/table/create_from_digests', { project_id: 'acme/support', row_digests })).status).toBe(404)
  expect((await post('/table/update', { project_id: 'acme/support', base_digest: digest, updates: [] })).status).toBe(404)
  expect((await post('/table/query_stats_batch', { project_id: 'acme/support', digests: [digest] })).body.tables).toEqual([])
})

test.each([
  ['/table/create', { table: { project_id: 'a/b' } }, ['table', 'rows'], 'missing'],
  ['/table/create', { table: { project_id: 'a/b', rows: [{}, 5] } }, ['table', 'rows', '1'], 'dict_type'],
  ['/table/create', { table: { project_id: 'a/b', rows: [[]] } }, ['table', 'rows', '0'], 'dict_type'],
  ['/table/create', { table: { project_id: 'a', rows: [] } }, ['table', 'project_id'], 'value_error'],
  [
    '/table/create',
    { table: { project_id: 'a/b', rows: Array.from({ length: 100_001 }, () => ({})) } },
    ['table', 'rows'],
    'too_long',
  ],
  ['/table/query', { project_id: 'a/b' }, ['digest'], 'missing'],
  ['/table/query', { project_id: 'a/b', digest: 'x', limit: 1.5 }, ['limit'], 'int_from_float'],
  ['/table/query', { project_id: 'a/b', digest: 'x', filter: { digests: [] } }, ['filter', 'digests'], 'extra_forbidden'],
  [
    '/table/query',
    { project_id: 'a/b', digest: 'x', sort_by: [{ field: 'a..b', direction: 'asc' }] },
    ['sort_by', '0', 'field'],
    'value_error',
  ],
  [
    '/table/query',
    { project_id: 'a/b', digest: 'x', sort_by: [{ field: 'a', direction: 'up' }] },
    ['sort_by', '0', 'direction'],
    'literal_error',
  ],
  [
    '/table/update',
    { project_id: 'a/b', base_digest: 'x', updates: [{ pop: { index: -1 } }] },
    ['updates', '0', 'pop', 'index'],
    'greater_than_equal',
  ],
])('%s rejects an invalid request', async (path, body, loc, type) => {
  const reply = await post(path, body)
  expect(reply.status).toBe(422)
  expect(reply.body.detail).toContainEqual({ loc: ['body', ...loc], msg: expect.any(String) as string, type })
})

test('a row that occurs many times cannot make a response larger than memory', async () => {
  const { row_digests: digests } = await create('many/p', [{ text: 'x'.repeat(1024 * 1024) }])
  const { body } = await post('/table/create_from_digests', {
    project_id: 'many/p',
    row_digests: Array.from({ length: 1000 }, () => digests[0]),
  })
  expect(await post('/table/query', { project_id: 'many/p', digest: body.digest })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'limit'], type: 'answer_too_large', msg: expect.stringContaining("'offset'") as string }] },
  })
  expect(await query('many/p', body.digest, { limit: 2, offset: 998 })).toHaveLength(2)
})

test('an incomplete table is not found, and can be sent again', async () => {
  const rows = [{ n: 1 }, { n: 2 }]
  const { digest, row_digests } = await create('whole/p', rows)
  await service.store.insert('table_positions', [
    { project_id: 'cut/p', table_digest: digest, position: 0, row_digest: row_digests[0] },
  ])
  expect(await query('cut/p', digest)).toEqual([])
  await create('cut/p', rows)
  expect(await valuesOf('cut/p', digest)).toEqual(rows)
})

test('tables survive a restart', async () => {
  const { digest } = await create('restart/p', [{ a: 1 }])
  await service.restart()
  expect(await valuesOf('restart/p', digest)).toEqual([{ a: 1 }])
})
