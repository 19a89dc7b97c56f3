import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WriteGate } from './write-gate'

/** A write that ends when `end` is called. */
function openWrite(gate: WriteGate, log: string[], name: string) {
  let end = () => {}
  const done = gate.during(async () => {
    log.push(`${name} begins`)
    await new Promise<void>((resolve) => {
      end = resolve
    })
    log.push(`${name} ends`)
  })
  return { done, end: () => end() }
}

test('it waits for the writes that run, and holds back those that come later', async () => {
  const gate = new WriteGate()
  const log: string[] = []
  const [first, second] = ['first', 'second'].map((name) => openWrite(gate, log, name))
  const alone = gate.alone(60_000, async () => {
    log.push('alone')
    await wait(5)
    log.push('alone ends')
  })
  const later = openWrite(gate, log, 'later')
  first?.end()
  await first?.done
  await wait(5)
  expect(log).toEqual(['first begins', 'second begins', 'first ends'])
  second?.end()
  await alone
  await wait(0)
  later.end()
  await later.done
  expect(log.slice(3)).toEqual(['second ends', 'alone', 'alone ends', 'later begins', 'later ends'])
})

test('it gives up where a write takes too long, and lets the others go on', async () => {
  const gate = new WriteGate()
  const log: string[] = []
  const long = openWrite(gate, log, 'long')
  await expect(gate.alone(1, async () => log.push('alone'))).rejects.toMatchObject({ kind: 'busy' })
  await gate.during(async () => log.push('other'))
  long.end()
  await long.done
  expect(log).toEqual(['long begins', 'other', 'long ends'])
  expect(await gate.alone(1, async () => 'now')).toBe('now')
})

test('a failed write and a failed act hold nothing back', async () => {
  const gate = new WriteGate()
  await expect(gate.during(() => Promise.reject(new Error('a write')))).rejects.toThrow('a write')
  await expect(gate.alone(1, () => Promise.reject(new Error('an act')))).rejects.toThrow('an act')
  expect(await gate.during(async () => 'written')).toBe('written')
})

test('two cannot hold writes back at once', async () => {
  const gate = new WriteGate()
  const first = gate.alone(1, () => wait(5))
  await expect(gate.alone(1, async () => {})).rejects.toMatchObject({ kind: 'busy' })
  await first
})
