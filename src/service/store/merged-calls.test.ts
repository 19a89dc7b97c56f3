import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { maxProviderLength } from '../../contract/limits'
import { callsWhere, providerSql } from './merged-calls'
import { sql } from './sql'
import { openTemporaryStore } from './testing/temporary-store'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

async function readProvider(attributes: object): Promise<string | undefined> {
  await place.store.insert('calls', [
    { project_id: 'a/b', id: JSON.stringify(attributes), attributes: JSON.stringify(attributes) },
  ])
  const calls = callsWhere('a/b', sql`id = ${JSON.stringify(attributes)}`)
  const [row] = await place.store.query(sql`SELECT ${providerSql} AS provider FROM ${calls}`, z.object({ provider: z.string() }))
  return row?.provider
}

test('the provider of a call comes from the attributes that its client used', async () => {
  expect(await readProvider({ provider: 'azure' })).toBe('azure')
  expect(await readProvider({ gen_ai: { system: 'openai' } })).toBe('')
  expect(await readProvider({ 'gen_ai.provider.name': 'openai', 'gen_ai.system': 'x' })).toBe('openai')
})

test('a provider that is no text is unknown, and the next name counts', async () => {
  expect(await readProvider({ provider: { name: 'azure' } })).toBe('')
  expect(await readProvider({ provider: 7 })).toBe('')
  expect(await readProvider({ provider: null, 'gen_ai.provider.name': ['x'], 'gen_ai.system': 'openai' })).toBe('openai')
})

test('a name that no price can have is cut, so that none of a large one is read', async () => {
  expect(await readProvider({ provider: 'é'.repeat(maxProviderLength) })).toHaveLength(maxProviderLength)
  expect(await readProvider({ provider: 'é'.repeat(100_000) })).toHaveLength(maxProviderLength + 1)
})
