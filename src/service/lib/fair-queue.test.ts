import { array, constant, constantFrom, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { type FairLimits, FairQueue } from './fair-queue'
import type { Share } from './share'

const limits: FairLimits = { maxActive: 4, maxActivePerUser: 3, maxActivePerShare: 2, maxWaiting: 12, maxWaitingPerShare: 5 }
const share = (user: string, projectId = 'p'): Share => ({ user, projectId })

test('a user with many waiting items leaves a place for another, who is served first', () => {
  const queue = new FairQueue<string>(limits)
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add(share('ann'), item)
  expect([queue.takeNext(), queue.takeNext(), queue.takeNext()].map((taken) => taken?.item)).toEqual(['a1', 'a2', undefined])
  queue.add(share('bob'), 'b1')
  expect(queue.takeNext()?.item).toBe('b1')
  queue.release(share('ann'))
  expect(queue.takeNext()?.item).toBe('a3')
})

test('with one place, users take turns however many items one of them has', () => {
  const queue = new FairQueue<string>({ ...limits, maxActive: 1 })
  for (const item of ['a1', 'a2', 'a3']) queue.add(share('ann'), item)
  for (const item of ['b1', 'b2']) queue.add(share('bob'), item)
  const order = []
  for (let taken = queue.takeNext(); taken; taken = queue.takeNext()) {
    order.push(taken.item)
    queue.release(taken.share)
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('an item that was active before comes before the others of its share', () => {
  const queue = new FairQueue<string>(limits)
  queue.add(share('ann'), 'new')
  queue.addReturning(share('ann'), 'again')
  expect(queue.takeNext()?.item).toBe('again')
})

test('a full queue refuses the last item of the user with the most, not that of a newcomer', () => {
  const queue = new FairQueue<string>(limits)
  for (const project of ['p', 'q', 'r']) {
    for (let index = 0; index < 4; index += 1) expect(queue.add(share('ann', project), `${project}${index}`)).toBeUndefined()
  }
  expect(queue.add(share('ann', 's'), 's0')).not.toBeUndefined()
  expect(queue.add(share('bob'), 'b0')).toMatch(/^[pqr]3$/)
  expect(queue.takeNext()).toBeDefined()
  expect(queue.clear()).toHaveLength(11)
})

test('an item that was taken back is not served', () => {
  const queue = new FairQueue<string>(limits)
  queue.add(share('ann'), 'a')
  expect(queue.remove(share('ann'), 'a')).toBe(true)
  expect(queue.remove(share('ann'), 'a')).toBe(false)
  expect(queue.takeNext()).toBeUndefined()
})

/** The same rules over one plain list: slow, and short enough to be read. */
class ReferenceQueue {
  private waiting: { share: Share; item: number; order: number }[] = []
  private active: Share[] = []
  private readonly servedAt = new Map<string, number>()
  private step = 0

  add(own: Share, item: number): number | undefined {
    if (this.countWaiting(own) >= limits.maxWaitingPerShare) return item
    this.step += 1
    this.waiting.push({ share: own, item, order: this.step })
    if (this.waiting.length <= limits.maxWaiting) return undefined
    const users = [own.user, ...this.waiting.map((each) => each.share.user)]
    const most = Math.max(...users.map((user) => this.waiting.filter((each) => each.share.user === user).length))
    const greedy = new Set(users.filter((user) => this.waiting.filter((each) => each.share.user === user).length === most))
    const ofGreedy = this.waiting.filter((each) => greedy.has(each.share.user))
    // Several items may be the right one; the caller checks that what was dropped is one of them.
    this.candidates = ofGreedy.map((each) => each.item)
    return -1
  }
  candidates: number[] = []

  drop(item: number): void {
    this.waiting = this.waiting.filter((each) => each.item !== item)
  }

  takeNext(): number | undefined {
    if (this.active.length >= limits.maxActive) return undefined
    const allowed = this.waiting.filter(
      ({ share: own }) =>
        this.countActive(own.user) < limits.maxActivePerUser &&
        this.countActive(own.user, own.projectId) < limits.maxActivePerShare,
    )
    const rank = ({ share: { user, projectId }, order }: (typeof allowed)[number]) => [
      this.countActive(user),
      this.servedAt.get(user) ?? 0,
      user,
      this.countActive(user, projectId),
      this.servedAt.get(`${user} ${projectId}`) ?? 0,
      order,
    ]
    // Between users that are equal, who came first: the head of the project that the user's own rules choose.
    const heads = [...new Set(allowed.map((each) => each.share.user))].flatMap((user) =>
      allowed
        .filter((each) => each.share.user === user)
        .toSorted((a, b) => compare(rank(a), rank(b)))
        .slice(0, 1),
    )
    const [next] = heads.toSorted((a, b) => compare([...rank(a).slice(0, 2), a.order], [...rank(b).slice(0, 2), b.order]))
    if (!next) return undefined
    this.drop(next.item)
    this.active.push(next.share)
    this.step += 1
    this.servedAt.set(next.share.user, this.step)
    this.servedAt.set(`${next.share.user} ${next.share.projectId}`, this.step)
    return next.item
  }

  release(own: Share): boolean {
    const index = this.active.findIndex((each) => each.user === own.user && each.projectId === own.projectId)
    if (index >= 0) this.active.splice(index, 1)
    return index >= 0
  }

  /** The queue forgets users and projects that have no items. */
  forget(): void {
    const used = [...this.active, ...this.waiting.map((each) => each.share)]
    for (const key of this.servedAt.keys()) {
      if (!used.some(({ user, projectId }) => key === user || key === `${user} ${projectId}`)) this.servedAt.delete(key)
    }
  }

  private countWaiting({ user, projectId }: Share): number {
    return this.waiting.filter((each) => each.share.user === user && each.share.projectId === projectId).length
  }

  private countActive(user: string, projectId?: string): number {
    return this.active.filter((each) => each.user === user && (projectId === undefined || each.projectId === projectId)).length
  }
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

const anyShare = record({ user: constantFrom('ann', 'bob', 'cem'), projectId: constantFrom('p', 'q') })
const anyStep = oneof(
  { weight: 3, arbitrary: anyShare.map((own) => ({ kind: 'add' as const, own })) },
  { weight: 2, arbitrary: constant({ kind: 'take' as const }) },
  { weight: 2, arbitrary: anyShare.map((own) => ({ kind: 'release' as const, own })) },
)

testProperty(
  'in whatever order items come and end, the queue serves and refuses as the reference model does',
  array(anyStep, { maxLength: 120 }),
  { runs: 500 },
  (steps) => {
    const queue = new FairQueue<number>(limits)
    const reference = new ReferenceQueue()
    for (const [item, step] of steps.entries()) {
      if (step.kind === 'take') expect(queue.takeNext()?.item).toBe(reference.takeNext())
      else if (step.kind === 'release') {
        if (reference.release(step.own)) queue.release(step.own)
      } else {
        const refused = reference.add(step.own, item)
        const dropped = queue.add(step.own, item)
        if (refused === -1) {
          expect(reference.candidates).toContain(dropped)
          reference.drop(dropped ?? -1)
        } else expect(dropped).toBe(refused)
      }
      reference.forget()
    }
  },
)

testProperty(
  'an item is served within as many turns as there are users, projects and items before it',
  array(anyShare, { minLength: 1, maxLength: 40 }),
  { runs: 300 },
  (flood) => {
    const queue = new FairQueue<string>({ ...limits, maxActive: 1, maxWaiting: 100, maxWaitingPerShare: 100 })
    for (const own of flood) queue.add(own, 'flood')
    queue.add(share('new'), 'mine')
    const served: string[] = []
    while (!served.includes('mine')) {
      const taken = queue.takeNext()
      if (!taken) throw new Error('Nobody is served.')
      served.push(taken.item)
      queue.release(taken.share)
    }
    expect(served.length).toBeLessThanOrEqual(4)
  },
)
