import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { WriterPace } from '../derive/writer-pace'
import { sql } from '../store/sql'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { PacedWriter } from './paced-writer'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

test('calls beside an update that a reader waits for are stored at once, and answered when it ends', async () => {
  const projectId = 'paced/p'
  const pace = new WriterPace({ callsBesideUpdate: 1, maxWaitMs: 60_000 })
  const writer = new PacedWriter(fixture.writer, pace)
  const endUpdate = pace.beginUpdate(projectId)
  void pace.awaitAsReader(projectId, new Promise(() => undefined))
  let isAnswered = false
  const written = writer
    .write(['a', 'b'].map((id) => ({ project_id: projectId, id, op_name: 'op', started_at: '2026-01-01T00:00:00Z' })))
    .then(() => (isAnswered = true))
  const readIds = async () =>
    await fixture.store.query(sql`SELECT id FROM calls WHERE project_id = ${projectId} ORDER BY id`, z.object({ id: z.string() }))
  await expect.poll(readIds).toEqual([{ id: 'a' }, { id: 'b' }])
  await wait(100)
  expect(isAnswered).toBe(false)
  endUpdate()
  await written
  expect(isAnswered).toBe(true)
})
