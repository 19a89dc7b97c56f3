import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRow } from '../ingest/call-row'
import { renderSql } from '../store/sql'
import type { Store } from '../store/store'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { CallProjects } from './call-projects'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const call = (project_id: string): CallRow => ({
  project_id,
  id: 'a',
  trace_id: 'a'.repeat(32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
})

/** The store, and how many of the statements on it looked at all calls. */
function watchStatements(isShared: boolean) {
  const watched = { statements: 0, ofAllCalls: 0 }
  const store: Store = {
    ...fixture.store,
    isShared,
    query: async (statement, ...more) => {
      watched.statements += 1
      if (!renderSql(statement).text.includes('inserted_at')) watched.ofAllCalls += 1
      return await fixture.store.query(statement, ...more)
    },
  }
  return { store, watched }
}

test('projects of calls are found as soon as they are written, and all calls are looked at once', async () => {
  const { store, watched } = watchStatements(false)
  const projects = new CallProjects(store, fixture.deriver)
  await fixture.writer.write([call('acme/one')])
  expect([...(await projects.list({}))]).toEqual(['acme/one'])
  await fixture.writer.write([call('acme/two')])
  await fixture.writer.write([call('acme/one'), call('acme/three')])
  expect([...(await projects.list({}))].toSorted()).toEqual(['acme/one', 'acme/three', 'acme/two'])
  expect(watched).toEqual({ statements: 2, ofAllCalls: 1 })
})

test('a project that has only the end of a call is not one yet, now and after a restart', async () => {
  const projects = new CallProjects(fixture.store, fixture.deriver)
  await projects.list({})
  await fixture.writer.write([{ project_id: 'acme/end', id: 'a', ended_at: '2026-01-01T00:00:01Z' }])
  expect(await projects.list({})).not.toContain('acme/end')
  expect(await new CallProjects(fixture.store, fixture.deriver).list({})).not.toContain('acme/end')
  await fixture.writer.write([call('acme/end')])
  expect(await projects.list({})).toContain('acme/end')
})

test('a project whose calls were inserted by another clock is found in a shared store', async () => {
  const { store, watched } = watchStatements(true)
  const projects = new CallProjects(store, fixture.deriver)
  await projects.list({})
  await fixture.store.insert('calls', [
    { ...call('acme/other'), started_at: '2026-01-01 00:00:00', inserted_at: '2025-01-01 00:00:00' },
  ])
  expect(await projects.list({})).toContain('acme/other')
  expect(watched).toEqual({ statements: 2, ofAllCalls: 2 })
})
