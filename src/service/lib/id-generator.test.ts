import { expect, test } from 'vitest'
import { createIdGenerator } from './id-generator'

test('ids are UUIDs of version 7 and contain the time', () => {
  const id = createIdGenerator(() => Date.UTC(2026, 0, 31))()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 0, 31))
})

test('ids are greater than the newest one of an earlier generator, whose clock was ahead', () => {
  const now = Date.UTC(2026, 0, 31)
  const newest = createIdGenerator(() => now + 3_600_000)()
  const newId = createIdGenerator(() => now, newest)
  const ids = [newest, newId(), newId(), newId()]
  expect(ids).toEqual(ids.toSorted())
  expect(createIdGenerator(() => now, 'catalog:openai/gpt-4o')().slice(0, 8)).toBe(createIdGenerator(() => now)().slice(0, 8))
})

test('ids strictly increase, within a millisecond and when the clock is set back', () => {
  let now = Date.UTC(2026, 0, 31)
  const newId = createIdGenerator(() => now)
  const ids = Array.from({ length: 20_000 }, (_, index) => {
    if (index === 10_000) now -= 5000
    return newId()
  })
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})
