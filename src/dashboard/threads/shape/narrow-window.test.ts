import { expect, test } from 'vitest'
import { type Bounds, narrowWindow, splitWindow } from './narrow-window'

const ms = (iso: string) => Date.parse(iso)

test('chosen bars become the window, with the first instant in it', () => {
  expect(narrowWindow({}, ms('2026-01-05T10:00:00Z'), ms('2026-01-05T12:00:00Z'))).toEqual({
    window: 'all',
    after: '2026-01-05T09:59:59.999999Z',
    before: '2026-01-05T12:00:00Z',
  })
})

test('a bar that begins before the window does not widen it', () => {
  const bounds = { after_datetime: '2026-01-05T10:20:00Z', before_datetime: '2026-01-05T11:30:00Z' }
  expect(narrowWindow(bounds, ms('2026-01-05T10:00:00Z'), ms('2026-01-05T12:00:00Z'))).toMatchObject({
    after: '2026-01-05T10:20:00Z',
    before: '2026-01-05T11:30:00Z',
  })
})

test('a moment splits the window: what starts at it is after it', () => {
  const filter: Bounds & { min_turns: number } = { min_turns: 2 }
  expect(splitWindow(filter, '2026-01-05T10:00:00Z', 'all')).toEqual([
    { min_turns: 2, before_datetime: '2026-01-05T10:00:00Z' },
    { min_turns: 2, after_datetime: '2026-01-05T09:59:59.999999Z' },
  ])
})

test('each side is at most as long as asked for, and stays in the window', () => {
  const window = { after_datetime: '2026-01-05T00:00:00Z', before_datetime: '2026-01-05T10:30:00Z' }
  expect(splitWindow(window, '2026-01-05T10:00:00Z', '1h')).toEqual([
    { after_datetime: '2026-01-05T08:59:59.999999Z', before_datetime: '2026-01-05T10:00:00Z' },
    { after_datetime: '2026-01-05T09:59:59.999999Z', before_datetime: '2026-01-05T10:30:00Z' },
  ])
  expect(splitWindow(window, '2026-01-05T10:00:00Z', '7d')[0]).toEqual({
    after_datetime: '2026-01-05T00:00:00Z',
    before_datetime: '2026-01-05T10:00:00Z',
  })
})
