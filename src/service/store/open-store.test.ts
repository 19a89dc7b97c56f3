import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openStore } from './open-store'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-store-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a row written before a close is there after the next opening', async () => {
  const first = await openStore({ folder })
  await first.insert('calls', [{ project_id: 'a/b', id: '1', started_at: '2026-01-31 09:30:00.123456' }])
  await first.close()
  const second = await openStore({ folder })
  const rows = await second.query(
    'SELECT id, started_at FROM calls FINAL WHERE project_id = {project:String}',
    { project: 'a/b' },
    z.object({ id: z.string(), started_at: z.string() }),
  )
  expect(rows).toEqual([{ id: '1', started_at: '2026-01-31 09:30:00.123456' }])
  await second.close()
})
