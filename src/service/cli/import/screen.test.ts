import { expect, test } from 'vitest'
import { Progress } from './progress'
import { Screen } from './screen'

function stream(isTTY: boolean) {
  const written: string[] = []
  return { written, isTTY, columns: 200, write: (text: string) => written.push(text) }
}

/** A quarter of a file of 4 MB, a second and more at a time. */
function progressOn(isTTY: boolean) {
  const terminal = stream(isTTY)
  const clock = { ms: 0 }
  const screen = new Screen(terminal)
  const progress = new Progress(screen, { name: 'calls.jsonl', size: 4_000_000, unit: 'calls', passedBytes: 0 }, () => clock.ms)
  return { terminal, clock, screen, progress }
}

test('on a terminal one line tells how far it is and how long it will take', () => {
  const { terminal, clock, progress } = progressOn(true)
  clock.ms = 2000
  progress.add(3000, 2, 1_000_000)
  expect(terminal.written).toEqual([
    '\r\u001b[2K[█████░░░░░░░░░░░░░░░] 25 %, 6 s left, 3,000 calls, 1,500/s, 2 refused, 1.0 MB of 4.0 MB, calls.jsonl',
  ])
  clock.ms = 2050
  progress.add(1000, 0, 1_500_000)
  expect(terminal.written).toHaveLength(1)
  clock.ms = 4000
  progress.add(1000, 0, 4_000_000)
  expect(terminal.written[1]).toContain(
    '[████████████████████] 100 %, 0 s left, 5,000 calls, 1,250/s, 2 refused, 4.0 MB of 4.0 MB, calls.jsonl',
  )
})

test('elsewhere a plain line does, every few seconds', () => {
  const { terminal, clock, progress } = progressOn(false)
  clock.ms = 4000
  progress.add(3000, 0, 1_000_000)
  expect(terminal.written).toEqual([])
  clock.ms = 5000
  progress.add(0, 0, 1_000_000)
  expect(terminal.written).toEqual(['calls.jsonl: 25 %, 15 s left, 3,000 calls, 600/s, 0 refused, 1.0 MB of 4.0 MB\n'])
})

test('a line above the status leaves the status below, and the end takes it away', () => {
  const terminal = stream(true)
  const screen = new Screen(terminal)
  screen.draw('half')
  screen.say('a problem')
  screen.clear()
  expect(terminal.written.join('')).toBe('\r\u001b[2Khalf\r\u001b[2Ka problem\n\r\u001b[2Khalf\r\u001b[2K')
})

test('a status that is wider than the terminal is cut, since it could not be drawn over', () => {
  const terminal = { ...stream(true), columns: 5 }
  new Screen(terminal).draw('🧵🧵🧵🧵🧵🧵')
  expect(terminal.written).toEqual(['\r\u001b[2K🧵🧵🧵🧵'])
})

test('nothing from a file steers the terminal', () => {
  const terminal = stream(false)
  new Screen(terminal).say('a\u001b[31m\u202eb\r')
  expect(terminal.written).toEqual(['a\ufffd[31m\ufffdb\ufffd\n'])
})

test('a wait is told on the status line, and elsewhere not every time', () => {
  const clock = { ms: 0 }
  const [terminal, file] = [stream(true), stream(false)]
  new Screen(terminal).wait('It is busy.')
  expect(terminal.written).toEqual(['\r\u001b[2KWaiting: It is busy.'])
  const screen = new Screen(file, () => clock.ms)
  for (const ms of [1000, 6000, 7000]) {
    clock.ms = ms
    screen.wait('It is busy.')
  }
  expect(file.written).toEqual(['Waiting: It is busy.\n'])
})
