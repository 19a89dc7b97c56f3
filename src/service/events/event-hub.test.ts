import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerSentEvent } from '../http/server-sent-events'
import type { CallRow } from '../ingest/call-row'
import { renderSql } from '../store/sql'
import type { Store } from '../store/store'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { EventHub, type EventLimits } from './event-hub'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const quick: Partial<EventLimits> = { minPauseMs: 5, maxPauseMs: 50, heartbeatMs: 60_000 }

function openHub(limits: Partial<EventLimits> = {}, store: Store = fixture.store) {
  return new EventHub({ store, deriver: fixture.deriver, logger: silentLogger, limits: { ...quick, ...limits } })
}

async function listenTo(hub: EventHub, projectId: string, username = 'kim') {
  const stopping = new AbortController()
  const reader = { signal: stopping.signal, share: { user: username, projectId } }
  const stream = await hub.open(projectId, { username, lastEventId: undefined, reader })
  const events = stream[Symbol.asyncIterator]()
  const next = async (): Promise<string | undefined> => {
    const { done, value } = (await events.next()) as IteratorResult<ServerSentEvent, undefined>
    return done ? undefined : value === 'heartbeat' ? value : value.event
  }
  expect(await next()).toBe('ready')
  return { next, stop: () => stopping.abort() }
}

const call = (projectId: string, id: string): CallRow => ({
  project_id: projectId,
  id,
  trace_id: 'a'.repeat(32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
})

/** A store that counts the times it was asked for changes. */
function countedStore() {
  const counted = { asked: 0, store: fixture.store }
  counted.store = {
    ...fixture.store,
    query: async (statement, ...more) => {
      if (renderSql(statement).text.includes('parts_before')) counted.asked += 1
      return await fixture.store.query(statement, ...more)
    },
  }
  return counted
}

test('all who listen to a project are told once of what was written', async () => {
  const hub = openHub()
  const [one, other] = await Promise.all([listenTo(hub, 'hub/p'), listenTo(hub, 'hub/p')])
  await fixture.writer.write([call('hub/p', 'a'), call('hub/p', 'b')])
  expect([await one.next(), await other.next()]).toEqual(['threads', 'threads'])
  expect(await one.next()).toBe('costs')
  hub.close()
  expect([await one.next(), await other.next(), await other.next()]).toEqual([undefined, 'costs', undefined])
})

test('the store is asked once a round for each project, and not at all while nobody listens', async () => {
  const counted = countedStore()
  const hub = openHub({ minPauseMs: 100, maxPauseMs: 100 }, counted.store)
  expect(counted.asked).toBe(0)
  const listeners = await Promise.all(Array.from({ length: 20 }, () => listenTo(hub, 'hub/many')))
  await wait(1000)
  const asked = counted.asked
  expect(asked).toBeGreaterThan(1)
  expect(asked).toBeLessThan(13)
  for (const { stop } of listeners) stop()
  await wait(150)
  const after = counted.asked
  await wait(400)
  expect(counted.asked).toBe(after)
  // Who comes later is told again.
  const late = await listenTo(hub, 'hub/many')
  await fixture.writer.write([call('hub/many', 'c')])
  expect(await late.next()).toBe('threads')
  hub.close()
})

test('a slow reader is told once what happened many times, and nothing is kept for it', async () => {
  const hub = openHub()
  const slow = await listenTo(hub, 'hub/slow')
  for (const id of ['a', 'b', 'c']) {
    await fixture.writer.write([call('hub/slow', id)])
    await wait(30)
  }
  await wait(300)
  expect([await slow.next(), await slow.next()]).toEqual(['threads', 'costs'])
  const more = slow.next()
  await wait(100)
  hub.close()
  expect(await more).toBe(undefined)
})

test('a user has a limited number of streams, others have theirs, and one that ends makes room', async () => {
  const hub = openHub({ maxListenersPerUser: 2, maxListeners: 3 })
  const first = await listenTo(hub, 'hub/limit')
  await listenTo(hub, 'hub/limit')
  await expect(listenTo(hub, 'hub/limit')).rejects.toMatchObject({ kind: 'too_many_requests' })
  await listenTo(hub, 'hub/limit', 'ann')
  await expect(listenTo(hub, 'hub/limit', 'bob')).rejects.toMatchObject({ kind: 'too_many_requests' })
  first.stop()
  await listenTo(hub, 'hub/limit', 'bob')
  hub.close()
  await expect(listenTo(hub, 'hub/limit')).rejects.toMatchObject({ kind: 'unavailable' })
})

test('who listens to a project counts as a reader of it', async () => {
  const hub = openHub()
  const listener = await listenTo(hub, 'hub/open-page')
  await expect.poll(() => fixture.deriver.isRead('hub/open-page')).toBe(true)
  expect(fixture.deriver.isRead('hub/closed-page')).toBe(false)
  listener.stop()
})

test('a quiet stream sends signs of life, and ends after its time', async () => {
  const hub = openHub({ heartbeatMs: 20, maxStreamMs: 200 })
  const quiet = await listenTo(hub, 'hub/quiet')
  expect(await quiet.next()).toBe('heartbeat')
  let last: string | undefined = 'heartbeat'
  while (last === 'heartbeat') last = await quiet.next()
  expect(last).toBe(undefined)
})

test('copies of the service over one server tell what another copy wrote, also with a clock that is behind', async () => {
  const shared: Store = { ...fixture.store, isShared: true }
  const hub = new EventHub({
    store: shared,
    // Ahead of the writer of the test by 20 s.
    deriver: {
      get storedBefore() {
        return fixture.deriver.storedBefore + 20_000_000
      },
      noteRead: (projectId) => fixture.deriver.noteRead(projectId),
    },
    logger: silentLogger,
    limits: quick,
  })
  const listener = await listenTo(hub, 'hub/shared')
  await fixture.writer.write([call('hub/shared', 'a')])
  expect(await listener.next()).toBe('threads')
  expect(await listener.next()).toBe('costs')
  await fixture.writer.write([call('hub/shared', 'b')])
  expect(await listener.next()).toBe('threads')
  hub.close()
})

test('where the store fails, streams stay and go on when it is back', async () => {
  let isFailing = false
  const failing: Store = {
    ...fixture.store,
    query: async (statement, ...more) => {
      if (isFailing) throw new Error('away')
      return await fixture.store.query(statement, ...more)
    },
  }
  const hub = openHub({}, failing)
  const listener = await listenTo(hub, 'hub/failing')
  isFailing = true
  await wait(50)
  await fixture.writer.write([call('hub/failing', 'a')])
  await wait(50)
  isFailing = false
  expect(await listener.next()).toBe('threads')
  hub.close()
})
