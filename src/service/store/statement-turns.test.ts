import { setTimeout as wait } from 'node:timers/promises'
import { array, constantFrom, record } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { StatementTurns, type Turn, type TurnLimits } from './statement-turns'

const limits: TurnLimits = {
  maxActive: 2,
  maxActivePerUser: 1,
  maxActivePerShare: 1,
  maxWaiting: 4,
  maxWaitingPerShare: 3,
  maxHeld: 3,
}
const ann = { user: 'ann', projectId: 'p' }
const bob = { user: 'bob', projectId: 'p' }

test('a statement of a user waits for the last one of that user, and not for those of others', async () => {
  const turns = new StatementTurns(limits)
  const first = await turns.acquire(ann)
  let hasBegun = false
  const second = turns.acquire(ann).then((turn) => {
    hasBegun = true
    return turn
  })
  ;(await turns.acquire(bob)).release()
  expect(hasBegun).toBe(false)
  first.release()
  ;(await second).release()
})

test('while a reader does something else, another statement runs, and the first goes on before those that wait', async () => {
  const turns = new StatementTurns(limits)
  const first = await turns.acquire(ann)
  first.suspend(() => undefined)
  const second = await turns.acquire(ann)
  const order: string[] = []
  const runThird = async () => {
    const third = await turns.acquire(ann)
    order.push('third')
    third.release()
  }
  const resumeFirst = async () => {
    await first.resume()
    order.push('first')
    first.release()
  }
  const ended = [runThird(), resumeFirst()]
  second.release()
  await Promise.all(ended)
  expect(order).toEqual(['first', 'third'])
})

test('too many waiting statements are refused, one that waits too long is told so, an aborted one leaves', async () => {
  const turns = new StatementTurns(limits, { maxWaitMs: 20, stalledAfterMs: 1000 })
  const running = await turns.acquire(ann)
  const aborted = new AbortController()
  const waiting = [turns.acquire(ann), turns.acquire(ann), turns.acquire(ann, aborted.signal)]
  const ended = Promise.allSettled(waiting)
  await expect(turns.acquire(ann)).rejects.toMatchObject({ kind: 'overloaded' })
  aborted.abort()
  expect(await ended).toMatchObject([{ reason: { kind: 'busy' } }, { reason: { kind: 'busy' } }, { reason: { kind: 'aborted' } }])
  running.release()
  ;(await turns.acquire(ann)).release()
})

test('when too many readers have stalled, the user with the most loses the first, and nobody else', async () => {
  const turns = new StatementTurns(limits, { maxWaitMs: 1000, stalledAfterMs: 5 })
  const cancelled: string[] = []
  const stall = async (name: string, share: typeof ann) => {
    const turn = await turns.acquire(share)
    turn.suspend(() => cancelled.push(name))
    return turn
  }
  const bobs = await stall('bob 1', bob)
  const first = await stall('ann 1', ann)
  const second = await stall('ann 2', ann)
  await wait(20)
  expect(cancelled).toEqual([]) // nobody needs a place
  ;(await turns.acquire({ user: 'cem', projectId: 'p' })).release()
  expect(cancelled).toEqual(['ann 1'])
  await expect(first.resume()).rejects.toMatchObject({ kind: 'unavailable' })
  await Promise.all([bobs.resume(), second.resume()])
})

test('closing refuses those who wait', async () => {
  const turns = new StatementTurns(limits)
  await turns.acquire(ann)
  const waiting = expect(turns.acquire(ann)).rejects.toMatchObject({ kind: 'closed' })
  turns.close()
  await waiting
})

type Statement = { user: string; turn?: Turn; phase: string; controller: AbortController }

async function begin(turns: StatementTurns, statement: Statement): Promise<void> {
  try {
    statement.turn = await turns.acquire({ user: statement.user, projectId: 'p' }, statement.controller.signal)
    statement.phase = 'active'
  } catch {
    statement.phase = 'aborted'
  }
}

async function goOn(statement: Statement, turn: Turn): Promise<void> {
  statement.phase = 'returning'
  await turn.resume()
  statement.phase = 'active'
}

const anyUser = constantFrom('ann', 'bob', 'cem')
const anyStep = record({ user: anyUser, action: constantFrom('acquire', 'release', 'suspend', 'resume', 'abort') })

testProperty(
  'in whatever order statements come, pause, fail and end, the limits hold and in the end everybody was served',
  array(anyStep, { maxLength: 60 }),
  { runs: 200 },
  async (steps) => {
    const turns = new StatementTurns({ ...limits, maxActivePerUser: 2, maxHeld: 50, maxWaiting: 100, maxWaitingPerShare: 100 })
    const statements: Statement[] = []
    for (const { user, action } of steps) {
      if (action === 'acquire') {
        const controller = new AbortController()
        const statement: Statement = { user, phase: 'waiting', controller }
        statements.push(statement)
        void begin(turns, statement)
      } else {
        const from = { release: 'active', suspend: 'active', resume: 'suspended', abort: 'waiting' }[action]
        const statement = statements.find((each) => each.user === user && each.phase === from)
        if (action === 'abort') statement?.controller.abort()
        if (statement?.turn && action === 'release') {
          statement.turn.release()
          statement.phase = 'ended'
        }
        if (statement?.turn && action === 'suspend') {
          statement.turn.suspend(() => undefined)
          statement.phase = 'suspended'
        }
        if (statement?.turn && action === 'resume') {
          void goOn(statement, statement.turn)
        }
      }
      await Promise.resolve()
      await Promise.resolve()
      await Promise.resolve()
      const active = statements.filter(({ phase }) => phase === 'active')
      expect(active.length).toBeLessThanOrEqual(2)
      for (const each of active) expect(active.filter((other) => other.user === each.user).length).toBeLessThanOrEqual(1)
    }
    // Whoever has begun ends now, so the others must all be served.
    for (let round = 0; round < 200 && statements.some(({ phase }) => !['ended', 'aborted'].includes(phase)); round += 1) {
      for (const statement of statements.filter(({ phase }) => phase === 'active' || phase === 'suspended')) {
        statement.turn?.release()
        statement.phase = 'ended'
      }
      await new Promise((next) => setImmediate(next))
    }
    expect(statements.every(({ phase }) => ['ended', 'aborted'].includes(phase))).toBe(true)
  },
)
