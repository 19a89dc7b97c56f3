import { array, constantFrom, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { CallQueue } from './call-queue'
import { OverloadedError } from './overloaded-error'

const limits = { maxRows: 1000, maxBytes: 1e9, maxRowsPerUser: 1000, maxBytesPerUser: 1e9 }
const kibibyte = 1024
const row = (callId: string, bytes = 100, projectId = 'p') => ({ callId, projectId, byteCount: bytes })
const many = (count: number, bytes = 100, projectId = 'p') =>
  Array.from({ length: count }, (_, index) => row(`${projectId}${index}`, bytes, projectId))

test('a group takes the same from each user, in any order of arrival and however much they have', () => {
  const queue = new CallQueue<ReturnType<typeof row>>(limits)
  queue.add('ann', many(100, 64 * kibibyte, 'a'))
  queue.add('bob', many(2, 64 * kibibyte, 'b'))
  const group = queue.takeGroup({ maxRows: 4, maxBytes: 1e9 })
  expect(group.map(({ callId }) => callId)).toEqual(['a0', 'b0', 'a1', 'b1'])
})

test('users are served equally in bytes, not in rows', () => {
  const queue = new CallQueue<ReturnType<typeof row>>(limits)
  queue.add('ann', many(10, 512 * kibibyte, 'a'))
  queue.add('bob', many(500, kibibyte, 'b'))
  const group = queue.takeGroup({ maxRows: 1000, maxBytes: 1024 * kibibyte })
  expect(group.filter(({ projectId }) => projectId === 'b').length).toBeGreaterThan(200)
  expect(group.filter(({ projectId }) => projectId === 'a')).toHaveLength(1)
})

test('a row that is larger than a group is taken alone, and small rows of others do not keep it waiting', () => {
  const queue = new CallQueue<ReturnType<typeof row>>(limits)
  queue.add('ann', [row('large', 3000 * kibibyte)])
  for (let index = 0; index < 100; index += 1) {
    queue.add('bob', many(20, 64 * kibibyte, `b${index}_`))
    const group = queue.takeGroup({ maxRows: 1000, maxBytes: 1024 * kibibyte })
    if (group.some(({ callId }) => callId === 'large')) return
  }
  throw new Error('The large row was never taken.')
})

test('rows of a project that is not ready stay, and hold up no others', () => {
  const queue = new CallQueue<ReturnType<typeof row>>(limits)
  queue.add('ann', [...many(2, 100, 'blocked'), ...many(2, 100, 'open')])
  const isReady = (projectId: string) => projectId === 'open'
  expect(queue.takeGroup({ maxRows: 10, maxBytes: 1e9 }, isReady).map(({ callId }) => callId)).toEqual(['open0', 'open1'])
  expect(queue.takeGroup({ maxRows: 10, maxBytes: 1e9 }, isReady)).toEqual([])
  expect(queue.takeGroup({ maxRows: 10, maxBytes: 1e9 })).toHaveLength(2)
})

test('one user cannot keep others out', () => {
  const queue = new CallQueue({ ...limits, maxRows: 20, maxRowsPerUser: 10 })
  queue.add('ann', many(10))
  expect(() => queue.add('ann', many(1))).toThrow(OverloadedError)
  queue.add('bob', many(10))
  queue.add('cem', many(1))
  expect(() => queue.add('cem', many(1))).toThrow(OverloadedError)
})

test('a request can be taken back until one of its rows was taken', () => {
  const queue = new CallQueue<ReturnType<typeof row>>(limits)
  const takeBackFirst = queue.add('ann', many(2, 100, 'first'))
  const takeBackSecond = queue.add('ann', many(2, 100, 'second'))
  expect(takeBackFirst()).toBe(true)
  expect(takeBackFirst()).toBe(false)
  expect(queue.takeGroup({ maxRows: 1, maxBytes: 1e9 }).map(({ callId }) => callId)).toEqual(['second0'])
  expect(takeBackSecond()).toBe(false)
})

const anyRequest = record({
  user: constantFrom('ann', 'bob', 'cem'),
  projectId: constantFrom('p', 'q'),
  sizes: array(integer({ min: 1, max: 300 * kibibyte }), { maxLength: 12 }),
  takeBefore: integer({ min: 0, max: 2 }),
})

testProperty(
  'every row is taken once, those of a user and project in their order, in groups within the limits',
  array(anyRequest, { maxLength: 20 }),
  { runs: 200 },
  (requests) => {
    const queue = new CallQueue<ReturnType<typeof row> & { user: string; order: number }>(limits)
    const taken: { user: string; projectId: string; order: number }[] = []
    const take = () => {
      const group = queue.takeGroup({ maxRows: 7, maxBytes: 500 * kibibyte })
      expect(group.length > 0).toBe(!wasEmpty())
      expect(group.length).toBeLessThanOrEqual(7)
      if (group.length > 1) expect(group.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBeLessThanOrEqual(500 * kibibyte)
      taken.push(...group)
    }
    let added = 0
    const wasEmpty = () => taken.length === added
    for (const { user, projectId, sizes, takeBefore } of requests) {
      for (let count = 0; count < takeBefore; count += 1) take()
      queue.add(
        user,
        sizes.map((bytes) => Object.assign(row('', bytes, projectId), { user, order: (added += 1) })),
      )
    }
    while (!queue.isEmpty) take()
    expect(taken).toHaveLength(added)
    for (const key of new Set(taken.map(({ user, projectId }) => `${user} ${projectId}`))) {
      const own = taken.filter(({ user, projectId }) => key === `${user} ${projectId}`)
      expect(own).toEqual(own.toSorted((a, b) => a.order - b.order))
    }
  },
)

testProperty(
  'two users with enough rows have the same bytes in a group, up to one row and one turn',
  record({ a: integer({ min: 4096, max: 100 * kibibyte }), b: integer({ min: 4096, max: 100 * kibibyte }) }),
  { runs: 50 },
  (sizes) => {
    const queue = new CallQueue({ ...limits, maxRows: 1e6 })
    const total = 2000 * kibibyte
    queue.add('ann', many(Math.ceil(total / sizes.a), sizes.a, 'a'))
    queue.add('bob', many(Math.ceil(total / sizes.b), sizes.b, 'b'))
    const group = queue.takeGroup({ maxRows: 1e6, maxBytes: total })
    const bytesOf = (name: string) =>
      group.filter(({ projectId }) => projectId === name).reduce((sum, { byteCount }) => sum + byteCount, 0)
    expect(Math.abs(bytesOf('a') - bytesOf('b'))).toBeLessThanOrEqual(264 * kibibyte)
  },
)
