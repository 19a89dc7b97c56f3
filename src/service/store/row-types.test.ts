import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { count, engineTime, flag, nullableEngineTime, textOrNull } from './row-types'

test('a row as the engine prints it becomes a row with its final types', () => {
  const Row = z.object({
    turn_count: count,
    started_at: engineTime,
    ended_at: nullableEngineTime,
    is_deleted: flag,
    thread_id: textOrNull,
  })
  const printed = { turn_count: '12', started_at: '2026-01-31 09:30:00.500000', ended_at: null, is_deleted: 0, thread_id: '' }
  expect(z.parse(Row, printed)).toEqual({
    turn_count: 12,
    started_at: '2026-01-31T09:30:00.500000Z',
    ended_at: null,
    is_deleted: false,
    thread_id: null,
  })
  const other = {
    turn_count: '0',
    started_at: '2026-01-31 09:30:00.000000',
    ended_at: '2026-01-31 09:30:01.000000',
    is_deleted: 1,
    thread_id: 't',
  }
  expect(z.parse(Row, other)).toEqual({
    turn_count: 0,
    started_at: '2026-01-31T09:30:00Z',
    ended_at: '2026-01-31T09:30:01Z',
    is_deleted: true,
    thread_id: 't',
  })
})
