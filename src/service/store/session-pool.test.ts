import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { EngineSession } from './engine-session'
import { SessionPool } from './session-pool'

class TestSession implements EngineSession {
  isOpen = true
  canRun = true
  run = async () => {
    if (!this.canRun) throw new Error('Code: 1. DB::Exception: It fails.')
  }
  stream = async () => ({ next: async () => undefined, cancel: () => undefined })
  collect = async () => new Uint8Array()
  insert = async () => undefined
  close = () => {
    this.isOpen = false
  }
}

/** A pool of test sessions. `fail` makes opening them fail from then on. */
function createPool(maxSessions: number) {
  const opened: TestSession[] = []
  let failure: Error | undefined
  const open = async () => {
    if (failure) throw failure
    const session = new TestSession()
    opened.push(session)
    return session
  }
  return {
    opened,
    pool: new SessionPool(maxSessions, open, { closeGraceMs: 10, idleMs: 20 }),
    fail: (error: Error | undefined) => {
      failure = error
    },
  }
}

test('sessions are opened as they are needed, used again, and never more than the limit', async () => {
  const { pool, opened } = createPool(2)
  const first = await pool.acquire()
  const second = await pool.acquire()
  const third = pool.acquire()
  pool.release(first, 'clean')
  expect(await third).toBe(first)
  expect(opened).toEqual([first, second])
})

test('where a session cannot be opened, the statement waits for one that is released', async () => {
  const { pool, fail } = createPool(8)
  const first = await pool.acquire()
  fail(new Error('too many sessions'))
  const waiting = [pool.acquire(), pool.acquire()]
  pool.release(first, 'clean')
  expect(await waiting[0]).toBe(first)
  fail(undefined)
  pool.release(first, 'clean')
  expect(await waiting[1]).toBe(first)
})

test('where there is no session to wait for, the statement fails, and the next one tries again', async () => {
  const { pool, fail } = createPool(8)
  fail(new Error('too many sessions'))
  await expect(pool.acquire()).rejects.toMatchObject({ name: 'StoreError', kind: 'unavailable' })
  fail(undefined)
  expect((await pool.acquire()).isOpen).toBe(true)
})

test('a session that cannot be cleaned is replaced', async () => {
  const { pool, opened } = createPool(1)
  const session = await pool.acquire()
  const waiting = pool.acquire()
  opened[0]!.canRun = false
  pool.release(session, 'dirty')
  expect(await waiting).toBe(opened[1])
  expect(session.isOpen).toBe(false)
})

test('closing rejects the waiters and closes every session, also one that is being opened', async () => {
  const { pool, opened } = createPool(1)
  await pool.acquire()
  const refused = expect(pool.acquire()).rejects.toMatchObject({ kind: 'closed' })
  await pool.close()
  await refused
  const late = createPool(1)
  const opening = expect(late.pool.acquire()).rejects.toMatchObject({ kind: 'closed' })
  await late.pool.close()
  await opening
  expect([...opened, ...late.opened].map(({ isOpen }) => isOpen)).toEqual([false, false])
})

test('sessions that nobody needs for a while are closed, but one', async () => {
  const { pool, opened } = createPool(4)
  const sessions = await Promise.all(Array.from({ length: 4 }, () => pool.acquire()))
  for (const session of sessions) pool.release(session, 'clean')
  const countOpen = () => opened.filter(({ isOpen }) => isOpen).length
  await expect.poll(countOpen).toBe(1)
  const used = await pool.acquire()
  expect(used.isOpen).toBe(true)
  const another = await pool.acquire()
  expect(opened).toHaveLength(5)
  pool.release(used, 'clean')
  pool.release(another, 'clean')
  await expect.poll(countOpen).toBe(1)
})

test('sessions that are used now and then stay open', async () => {
  const { pool, opened } = createPool(2)
  for (let round = 0; round < 12; round += 1) {
    const sessions = [await pool.acquire(), await pool.acquire()]
    await wait(5)
    for (const session of sessions) pool.release(session, 'clean')
    await wait(5)
  }
  expect(opened).toHaveLength(2)
})
