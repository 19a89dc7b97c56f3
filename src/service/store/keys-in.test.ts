import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { testProperty } from '../../testing/test-property'
import { keysIn } from './keys-in'
import { renderSql, sql } from './sql'
import { openTemporaryStore } from './testing/temporary-store'

const Key = z.object({ project_id: z.string(), id: z.string() })
type Key = z.infer<typeof Key>

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

test('a value that all keys share is bound once', () => {
  const keys = [
    { project_id: 'a/b', id: '1' },
    { project_id: 'a/b', id: '2' },
  ]
  const { text, params } = renderSql(keysIn(['project_id', 'id'], keys))
  expect(text).toBe('project_id = {p1:String} AND id IN {p2:Array(String)}')
  expect(params).toEqual({ p1: 'a/b', p2: ['1', '2'] })
})

test('a value that several keys have is bound once', () => {
  const keys = ['1', '2', '1'].map((id) => ({ project_id: 'a/b', id }))
  expect(renderSql(keysIn(['project_id', 'id'], keys)).params).toEqual({ p1: 'a/b', p2: ['1', '2'] })
})

testProperty(
  'a long list reaches the engine as it is',
  fc.array(fc.oneof(fc.string(), fc.constantFrom('', ',', "'", '\\', '\n\t\0', '\u001f', '\\x1f', '\u{1f600}')), {
    minLength: 100,
    maxLength: 130,
  }),
  { runs: 30 },
  async (list) => {
    for (const texts of [list, list.map((each) => each.replaceAll('\u001f', '')), ['', ...list, '']]) {
      const [row] = await place.store.query(sql`SELECT ${texts} AS texts`, z.object({ texts: z.array(z.string()) }))
      expect(row?.texts).toEqual(texts)
    }
  },
)

const text = fc.constantFrom('', 'a', 'b', "'")
const stored: Key[] = ['', 'a', 'b', "'"].flatMap((projectId) => ['', 'a', 'b', "'"].map((id) => ({ project_id: projectId, id })))

testProperty(
  'exactly the rows with one of the keys meet the condition',
  fc.array(fc.record({ project_id: text, id: text }), { maxLength: 4 }),
  { runs: 60 },
  async (keys) => {
    const columns = (name: keyof Key) => stored.map((row) => row[name])
    const found = await place.store.query(
      sql`SELECT pair.1 AS project_id, pair.2 AS id
        FROM (SELECT arrayJoin(arrayZip(${columns('project_id')}, ${columns('id')})) AS pair)
        WHERE ${keysIn(['project_id', 'id'], keys)}`,
      Key,
    )
    const isNamed = (row: Key) => keys.some((key) => key.project_id === row.project_id && key.id === row.id)
    expect(found).toEqual(stored.filter(isNamed))
  },
)
