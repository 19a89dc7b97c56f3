import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { migrate } from './migrate'
import { migrations } from './migrations'
import { openTemporaryStore } from './testing/temporary-store'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

const step = (number: number, ...statements: string[]) => ({ number, name: `step ${number}`, statements })

test('steps run by their numbers however they are listed, each once, and one that came late is not left out', async () => {
  const created = step(901, 'CREATE TABLE steps (number UInt32) ENGINE = MergeTree ORDER BY number')
  const insert = (number: number) => step(number, `INSERT INTO steps SELECT ${number}`)
  await migrate(place.store, [...migrations, insert(904), insert(902), created])
  await migrate(place.store, [...migrations, created, insert(902), insert(903), insert(904)])
  const rows = await place.store.query('SELECT number FROM steps ORDER BY number', {}, z.object({ number: z.number() }))
  expect(rows.map(({ number }) => number)).toEqual([902, 903, 904])
})
