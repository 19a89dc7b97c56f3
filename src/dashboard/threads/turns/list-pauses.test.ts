import { expect, test } from 'vitest'
import { listPauses } from './list-pauses'

test('a pause lasts from the end of all turns before to the next start', () => {
  const turns = [
    { startMs: 0, endMs: 10_000 },
    { startMs: 2000, endMs: 3000 },
    { startMs: 70_000, endMs: 71_000 },
    { startMs: 71_500, endMs: 72_000 },
  ]
  expect(listPauses(turns)).toEqual([undefined, undefined, { milliseconds: 60_000, isIdle: true }, undefined])
})

test('after a turn that has no end nobody knows that nothing ran; a turn without a start has no place', () => {
  const turns = [
    { startMs: 0, endMs: null },
    { startMs: 5000, endMs: 6000 },
    { startMs: null, endMs: null },
  ]
  expect(listPauses(turns)).toEqual([undefined, { milliseconds: 5000, isIdle: false }, undefined])
})
