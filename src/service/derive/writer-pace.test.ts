import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { WriterPace } from './writer-pace'

const callsBesideUpdate = 3
const fourCalls = ['a/p', 'a/p', 'a/p', 'a/p']

let pace: WriterPace
let stopReading: () => void
beforeEach(() => {
  pace = new WriterPace({ callsBesideUpdate, maxWaitMs: 60_000 })
})

function beginReading(projectId: string): Promise<void> {
  return pace.awaitAsReader(projectId, new Promise((resolve) => (stopReading = resolve)))
}

/** Whether the writer has its answer before the update ends. */
async function isAnswered(written: Promise<void>): Promise<boolean> {
  return await Promise.race([written.then(() => true), wait(20, false)])
}

test('a writer of more calls than an update leaves for the next one waits for its end, where a reader waits for it', async () => {
  const endUpdate = pace.beginUpdate('a/p')
  void beginReading('a/p')
  expect(await isAnswered(pace.keepUp('ann', ['a/p', 'a/p', 'a/p']))).toBe(true)
  const written = pace.keepUp('ann', ['a/p'])
  expect(await isAnswered(written)).toBe(false)
  endUpdate()
  expect(await isAnswered(written)).toBe(true)
})

test('nobody waits who wrote little, who writes to other projects, and where nobody reads', async () => {
  pace.beginUpdate('a/p')
  const reading = beginReading('a/p')
  const other = pace.keepUp('ann', fourCalls)
  expect(await isAnswered(other)).toBe(false)
  expect(await isAnswered(pace.keepUp('bob', ['a/p']))).toBe(true)
  expect(await isAnswered(pace.keepUp('ann', ['a/other', 'a/other', 'a/other', 'a/other']))).toBe(true)
  stopReading()
  await reading
  expect(await isAnswered(pace.keepUp('ann', fourCalls))).toBe(true)
})

test('who waits for more calls goes on when they are there, after the time, and at the end', async () => {
  const ending = new AbortController()
  const { signal } = ending
  await pace.keepUp('ann', fourCalls)
  await pace.waitForCalls(pace.callCount, { maxMs: 60_000, signal })
  await pace.waitForCalls(pace.callCount + 1, { maxMs: 1, signal })
  const more = pace.waitForCalls(pace.callCount + 2, { maxMs: 60_000, signal })
  await pace.keepUp('ann', ['b/p'])
  expect(await isAnswered(more)).toBe(false)
  await pace.keepUp('bob', ['a/p'])
  await more
  const aborted = pace.waitForCalls(pace.callCount + 1, { maxMs: 60_000, signal })
  ending.abort()
  await aborted
})

test('a writer does not wait longer than the limit, and then writes as much again', async () => {
  pace = new WriterPace({ callsBesideUpdate, maxWaitMs: 1 })
  pace.beginUpdate('a/p')
  void beginReading('a/p')
  await pace.keepUp('ann', fourCalls)
  pace = Object.assign(pace, { limits: { callsBesideUpdate, maxWaitMs: 60_000 } })
  expect(await isAnswered(pace.keepUp('ann', ['a/p', 'a/p', 'a/p']))).toBe(true)
  expect(await isAnswered(pace.keepUp('ann', ['a/p']))).toBe(false)
})

test('the calls of an update do not count to the next one', async () => {
  const endUpdate = pace.beginUpdate('a/p')
  void beginReading('a/p')
  await pace.keepUp('ann', ['a/p', 'a/p', 'a/p'])
  endUpdate()
  pace.beginUpdate('a/p')
  expect(await isAnswered(pace.keepUp('ann', ['a/p', 'a/p', 'a/p']))).toBe(true)
})
