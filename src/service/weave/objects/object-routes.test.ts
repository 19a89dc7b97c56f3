import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

type Version = { object_id: string; digest: string; version_index: number; is_latest: number; val: unknown }
type ResponseBody = {
  digest: string
  obj: Version
  objs: Version[]
  vals: unknown[]
  num_deleted: number
  detail: { loc: string[]; msg: string; type: string }[]
}

async function post(path: string, body: object, user?: typeof reviewer): Promise<{ status: number; body: ResponseBody }> {
  const response = user ? await service.post(path, body, user) : await service.post(path, body)
  return { status: response.status, body: (await response.json()) as ResponseBody } // what the service itself checks by the contract
}

async function create(projectId: string, objectId: string, val: unknown, more: object = {}): Promise<string> {
  const { status, body } = await post('/obj/create', { obj: { project_id: projectId, object_id: objectId, val, ...more } })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ object_id: objectId })
  return body.digest
}
const read = (projectId: string, objectId: string, digest: string, more: object = {}) =>
  post('/obj/read', { project_id: projectId, object_id: objectId, digest, ...more })
const query = async (projectId: string, more: object = {}) =>
  (await post('/objs/query', { project_id: projectId, ...more })).body.objs

const instance = (name: string, ...bases: string[]) => ({
  _type: name,
  _class_name: name,
  _bases: [...bases, 'Object', 'BaseModel'],
})

test('an object is returned as it was sent, by digest, as latest and by number', async () => {
  const val = { text: 'naïve 😀 \0 \u2028', list: [1, 2.5, null, true], deep: { '': { __type: 'x' } }, big: 1e300 }
  const digest = await create('one/p', 'thing', val)
  for (const version of [digest, 'latest', 'v0']) {
    expect((await read('one/p', 'thing', version)).body.obj).toMatchObject({
      project_id: 'one/p',
      object_id: 'thing',
      digest,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      deleted_at: null,
      wb_user_id: 'admin',
      val,
    })
  }
  expect((await read('one/p', 'thing', 'latest', { metadata_only: true })).body.obj).toMatchObject({ digest, val: null })
})

test('an object is found by its name as it is encoded in references, unless another has that very name', async () => {
  const digest = await create('names/p', '評価 %', { of: 'decoded' })
  const encoded = encodeURIComponent('評価 %')
  const ref = `weave:///names/p/object/${encoded}:${digest}`
  expect((await read('names/p', encoded, 'latest')).body.obj).toMatchObject({ object_id: '評価 %', digest })
  expect((await post('/refs/read_batch', { refs: [ref, 'weave:///names/p/object/%:v0'] })).body.vals).toEqual([
    { of: 'decoded' },
    null,
  ])
  await create('names/p', encoded, { of: 'encoded' })
  expect((await read('names/p', encoded, 'v0')).body.obj.val).toEqual({ of: 'encoded' })
  expect((await read('names/p', '%', 'v0')).status).toBe(404)
})

test('the digest is the one that the Python SDK computes', async () => {
  expect(await create('digest/p', 'scorer', { name: 'Helpfulness', _bases: ['Scorer', 'Object', 'BaseModel'] })).toBe(
    'PN6yGDlmlboGgUtvBsN2HgJaooewWkq0t5jUGqC1iT4',
  )
})

test('the same content in any order of keys is the same version; other content is the next version', async () => {
  const first = await create('again/p', 'thing', { a: 1, b: { c: 2, d: 3 } })
  const second = await create('again/p', 'thing', { a: 2 })
  expect(await create('again/p', 'thing', { b: { d: 3, c: 2 }, a: 1 })).toBe(first)
  expect(await query('again/p')).toMatchObject([
    { digest: first, version_index: 0, is_latest: 0 },
    { digest: second, version_index: 1, is_latest: 1 },
  ])
  expect((await read('again/p', 'thing', 'v1')).body.obj.digest).toBe(second)
})

test('creating the same content at once makes one version; creating different content makes versions without gaps', async () => {
  const same = await Promise.all(Array.from({ length: 20 }, () => create('race/p', 'same', { value: 1 })))
  expect(new Set(same).size).toBe(1)
  expect(await query('race/p', { filter: { object_ids: ['same'] } })).toHaveLength(1)

  await Promise.all(Array.from({ length: 20 }, (_, index) => create('race/p', 'other', { index })))
  const versions = await query('race/p', { filter: { object_ids: ['other'] } })
  expect(versions.map((version) => version.version_index).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, i) => i),
  )
  expect(versions.filter((version) => version.is_latest === 1)).toHaveLength(1)
})

test('scorers are found by base class, the latest version of each, in pages', async () => {
  for (const name of ['zeal', 'accuracy', 'Ton']) {
    await create('scorers/p', name, { ...instance(name, 'Scorer'), name, revision: 1 })
    await create('scorers/p', name, { ...instance(name, 'Scorer'), name, revision: 2 })
  }
  await create('scorers/p', 'spec', { ...instance('AnnotationSpec'), field_schema: {} })
  await create('scorers/p', 'model', instance('MyModel', 'Model'))
  await create('scorers/p', 'plain', [1, 2])
  await create('scorers/p', 'score-op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { 'obj.py': 'x' } })

  const scorers = { filter: { base_object_classes: ['Scorer', 'AnnotationSpec'], latest_only: true } }
  const byName = { ...scorers, sort_by: [{ field: 'object_id', direction: 'asc' }], metadata_only: true }
  expect(await query('scorers/p', byName)).toMatchObject([
    { object_id: 'Ton', base_object_class: 'Scorer', leaf_object_class: 'Ton', version_index: 1, is_latest: 1, val: null },
    { object_id: 'accuracy', version_index: 1 },
    { object_id: 'spec', base_object_class: 'AnnotationSpec', leaf_object_class: 'AnnotationSpec', version_index: 0 },
    { object_id: 'zeal', version_index: 1 },
  ])
  const names = async (more: object) => (await query('scorers/p', more)).map((version) => version.object_id)
  expect(await names({ ...byName, limit: 2, offset: 1 })).toEqual(['accuracy', 'spec'])
  expect(await names({ ...byName, limit: 0 })).toEqual([])
  expect(await names({ ...byName, offset: 9 })).toEqual([])
  expect(await names({ ...scorers, sort_by: [{ field: 'created_at', direction: 'desc' }] })).toEqual([
    'spec',
    'Ton',
    'accuracy',
    'zeal',
  ])
  expect(await query('scorers/p', { ...scorers, limit: 1 })).toMatchObject([{ val: { name: 'zeal', revision: 2 } }])

  expect(await names({ filter: { is_op: true } })).toEqual(['score-op'])
  expect(await names({ filter: { is_op: false, exclude_base_object_classes: ['Scorer', 'Model'] } })).toEqual(['spec', 'plain'])
  expect(await names({ filter: { leaf_object_classes: ['MyModel', 'Ton'], latest_only: true } })).toEqual(['Ton', 'model'])
  expect(await names({ filter: { object_ids: ['zeal', 'unknown'] } })).toEqual(['zeal', 'zeal'])
  expect(await names({ filter: { object_ids: [], base_object_classes: [] }, limit: 1 })).toEqual(['zeal'])
})

test('the class in the request is written into the value, unless it contradicts the value', async () => {
  const digest = await create('builtin/p', 'quality', { name: 'Quality' }, { builtin_object_class: 'AnnotationSpec' })
  expect((await read('builtin/p', 'quality', digest)).body.obj).toMatchObject({
    base_object_class: 'AnnotationSpec',
    val: { name: 'Quality', _class_name: 'AnnotationSpec', _bases: ['BaseObject', 'BaseModel'] },
  })
  expect(await create('builtin/p', 'quality', { name: 'Quality' }, { set_base_object_class: 'AnnotationSpec' })).toBe(digest)
  const obj = { project_id: 'builtin/p', object_id: 'x', builtin_object_class: 'Model' }
  for (const val of [5, [1], null, instance('Ton', 'Scorer')]) {
    expect(await post('/obj/create', { obj: { ...obj, val } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'obj', 'builtin_object_class'] }] },
    })
  }
})

test('an op and an object of one name have separate versions', async () => {
  const op = await create('kinds/p', 'twin', { weave_type: { type: 'Op' }, files: {} })
  const object = await create('kinds/p', 'twin', { a: 1 })
  expect(await query('kinds/p')).toMatchObject([
    { digest: op, kind: 'op', version_index: 0, is_latest: 1 },
    { digest: object, kind: 'object', version_index: 0, is_latest: 1 },
  ])
  expect((await read('kinds/p', 'twin', 'latest')).body.obj.digest).toBe(object)
  const refs = ['op', 'object'].map((kind) => `weave:///kinds/p/${kind}/twin:latest`)
  expect((await post('/refs/read_batch', { refs })).body.vals).toEqual([{ weave_type: { type: 'Op' }, files: {} }, { a: 1 }])
})

test('the version that was created last is the latest, however often the clock is set back', async () => {
  for (const index of [0, 1, 2, 3]) {
    service.clock.offsetMs = -index * 3_600_000
    const digest = await create('clock/p', 'thing', { index })
    expect((await read('clock/p', 'thing', 'latest')).body.obj).toMatchObject({ digest, version_index: index, val: { index } })
    expect((await read('clock/p', 'thing', 'v0')).body.obj).toMatchObject({ val: { index: 0 } })
  }
  service.clock.offsetMs = 0
})

test('a deleted version is not found, keeps its number, and is restored when it is created again', async () => {
  const [first, second, third] = [
    await create('delete/p', 'thing', 1),
    await create('delete/p', 'thing', 2),
    await create('delete/p', 'thing', 3),
  ]
  const remove = (digests?: string[]) => post('/obj/delete', { project_id: 'delete/p', object_id: 'thing', digests })
  expect((await remove([second, 'latest'])).body).toEqual({ num_deleted: 2 })
  expect(await query('delete/p')).toMatchObject([{ digest: first, version_index: 0, is_latest: 1 }])
  expect(await read('delete/p', 'thing', third)).toMatchObject({ status: 404, body: { detail: [{ loc: ['body', 'digest'] }] } })
  expect((await remove([third])).status).toBe(404)
  expect(await create('delete/p', 'thing', 3)).toBe(third)
  expect(await query('delete/p')).toMatchObject([
    { version_index: 0, is_latest: 0 },
    { digest: third, version_index: 2, is_latest: 1, val: 3 },
  ])
  expect((await remove()).body).toEqual({ num_deleted: 2 })
  expect(await remove()).toMatchObject({ status: 404, body: { detail: [{ loc: ['body', 'object_id'] }] } })
  expect(await query('delete/p')).toEqual([])
})

test('references are resolved in order, through tables and other references; null where they lead to nothing', async () => {
  const rows = [{ q: 'eins', 'odd/key': { n: 1 } }, { q: 'zwei' }]
  const table = (await (await service.post('/table/create', { table: { project_id: 'refs/p', rows } })).json()) as {
    digest: string
    row_digests: string[]
  }
  const data = await create('refs/p', 'data', { rows: `weave:///refs/p/table/${table.digest}`, list: [10, 20] })
  await create('refs/p', 'outer', { inner: `weave:///refs/p/object/data:${data}` })
  await create('refs/p', 'ring', { next: 'weave:///refs/p/object/ring:latest/attr/next' })
  const [row = ''] = table.row_digests
  const cases: [string, unknown][] = [
    [`weave:///refs/p/object/data:${data}/attr/list/index/1`, 20],
    ['weave:///refs/p/object/data:latest/key/list/index/7', null],
    [`weave:///refs/p/object/outer:v0/attr/inner/attr/rows/id/${row}`, rows[0]],
    [`weave:///refs/p/object/outer:v0/attr/inner/attr/rows/id/${row}/key/odd%2Fkey/key/n`, 1],
    [`weave:///refs/p/table/${table.digest}/id/${table.row_digests[1]}`, rows[1]],
    ['weave:///refs/p/object/outer:latest/attr/inner', `weave:///refs/p/object/data:${data}`],
    ['weave:///refs/p/object/ring:latest/attr/next/attr/x', null],
    ['weave:///refs/p/object/unknown:latest', null],
    ['weave:///refs/p/object/data:v9', null],
    ['weave:///refs/p/object/data:latest/attr/list/oops/1', null],
    ['weave:///refs/p/call/0123', null],
    ['no reference at all', null],
  ]
  expect((await post('/refs/read_batch', { refs: cases.map(([ref]) => ref) })).body.vals).toEqual(cases.map(([, val]) => val))
  expect((await post('/refs/read_batch', { refs: [] })).body.vals).toEqual([])
})

test('users cannot access other projects, not even by a reference in their own object', async () => {
  await create('other/secret', 'thing', { secret: 1 })
  const mine = {
    obj: { project_id: 'acme/support', object_id: 'bait', val: { at: 'weave:///other/secret/object/thing:latest' } },
  }
  expect((await post('/obj/create', mine, reviewer)).status).toBe(200)
  const theirs = { project_id: 'other/secret', object_id: 'thing' }
  for (const [path, body] of [
    ['/obj/create', { obj: { ...theirs, val: 1 } }],
    ['/obj/read', { ...theirs, digest: 'latest' }],
    ['/objs/query', { project_id: 'other/secret' }],
    ['/obj/delete', theirs],
    ['/refs/read_batch', { refs: ['weave:///other/secret/object/thing:latest'] }],
    ['/refs/read_batch', { refs: ['weave:///acme/support/object/bait:latest/attr/at/attr/secret'] }],
  ] as const) {
    expect(await post(path, body, reviewer), path).toMatchObject({ status: 403, body: { detail: [{ type: 'forbidden' }] } })
  }
  expect((await read('acme/support', 'thing', 'latest')).status).toBe(404)
  expect(await query('acme/support')).toHaveLength(1)
})

test('a name may be any text of 1 to 1,024 characters', async () => {
  for (const name of ['a', 'mit Leerzeichen', 'quote \' " \\', '日本語 😀', 'a/b:c', '%2F', '\u0000\n', 'x'.repeat(1024)]) {
    const digest = await create('names/p', name, { name })
    expect((await read('names/p', name, digest)).body.obj.val).toEqual({ name })
  }
  for (const name of ['', 'x'.repeat(1025)]) {
    expect(await post('/obj/create', { obj: { project_id: 'names/p', object_id: name, val: 1 } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'obj', 'object_id'], msg: expect.stringContaining('1,024') as string }] },
    })
  }
})

test('the class of a value has a name of at most 4,096 characters, wherever it is said', async () => {
  const valueOf = (name: string, base: string) => ({ _class_name: name, _bases: [base, 'Object', 'BaseModel'] })
  await create('classes/p', 'long', valueOf('x'.repeat(4096), 'x'.repeat(4096)))
  for (const val of [valueOf('x'.repeat(4097), 'Scorer'), valueOf('Mine', 'x'.repeat(4097))]) {
    expect(await post('/obj/create', { obj: { project_id: 'classes/p', object_id: 'long', val } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'obj', 'val', '_class_name'], type: 'string_too_long' }] },
    })
  }
})

test.each([
  ['/obj/create', {}, ['obj'], 'missing'],
  ['/obj/create', { obj: [] }, ['obj'], 'dict_type'],
  ['/obj/create', { obj: { project_id: 'a/b', object_id: 'x' } }, ['obj', 'val'], 'missing'],
  ['/obj/create', { obj: { project_id: 'ab', object_id: 'x', val: 1 } }, ['obj', 'project_id'], 'value_error'],
  ['/obj/create', { obj: { project_id: 'a/b', object_id: 7, val: 1 } }, ['obj', 'object_id'], 'string_type'],
  ['/obj/read', { project_id: 'a/b', object_id: 'x' }, ['digest'], 'missing'],
  ['/objs/query', { project_id: 'a/b', limit: '10' }, ['limit'], 'int_parsing'],
  ['/objs/query', { project_id: 'a/b', offset: -1 }, ['offset'], 'greater_than_equal'],
  [
    '/objs/query',
    { project_id: 'a/b', filter: { base_object_class: ['Scorer'] } },
    ['filter', 'base_object_class'],
    'extra_forbidden',
  ],
  ['/objs/query', { project_id: 'a/b', filter: { latest_only: 'yes' } }, ['filter', 'latest_only'], 'bool_type'],
  ['/objs/query', { project_id: 'a/b', filter: { object_ids: 'x' } }, ['filter', 'object_ids'], 'list_type'],
  [
    '/objs/query',
    { project_id: 'a/b', sort_by: [{ field: 'digest', direction: 'asc' }] },
    ['sort_by', '0', 'field'],
    'literal_error',
  ],
  ['/obj/delete', { project_id: 'a/b', object_id: 'x', digests: [1] }, ['digests', '0'], 'string_type'],
  ['/refs/read_batch', { refs: 'x' }, ['refs'], 'list_type'],
  ['/refs/read_batch', { refs: Array.from({ length: 1001 }, () => 'x') }, ['refs'], 'too_long'],
])('%s rejects %j', async (path, body, loc, type) => {
  const reply = await post(path, body)
  expect(reply.status).toBe(422)
  expect(reply.body.detail).toContainEqual({ loc: ['body', ...loc], msg: expect.any(String) as string, type })
})

test('unknown fields are ignored, because SDKs are often newer than servers', async () => {
  await create('ahead/p', 'thing', 1, { expected_digest: 'x', wb_user_id: 'somebody' })
  for (const filter of [null, { object_ids: null, tags: null }]) {
    expect(await query('ahead/p', { include_storage_size: true, filter })).toMatchObject([{ wb_user_id: 'admin' }])
  }
})

test('objects survive a restart', async () => {
  const digest = await create('restart/p', 'thing', { a: 1 })
  await service.restart()
  expect((await read('restart/p', 'thing', 'latest')).body.obj).toMatchObject({ digest, val: { a: 1 } })
  expect(await create('restart/p', 'thing', { a: 1 })).toBe(digest)
  expect(await query('restart/p')).toHaveLength(1)
})
