import { expect, test } from 'vitest'
import { Terminal } from './terminal'

function createStream(isTTY: boolean, columns = 80) {
  const written: string[] = []
  return { written, isTTY, columns, write: (text: string) => written.push(text) }
}

test('on a terminal the status is one line that is rewritten, ten times a second at most', () => {
  const stream = createStream(true)
  const clock = { ms: 0 }
  const terminal = new Terminal(stream, () => clock.ms)
  for (const ms of [200, 250, 300]) {
    clock.ms = ms
    terminal.showStatus(`at ${ms} ms`)
  }
  expect(stream.written).toEqual(['\r\u001b[2Kat 200 ms', '\r\u001b[2Kat 300 ms'])
})

test('elsewhere the status is a line every five seconds', () => {
  const stream = createStream(false)
  const clock = { ms: 0 }
  const terminal = new Terminal(stream, () => clock.ms)
  for (const ms of [1000, 5000, 9000, 10_000]) {
    clock.ms = ms
    terminal.showStatus(`at ${ms} ms`)
  }
  expect(stream.written).toEqual(['at 5000 ms\n', 'at 10000 ms\n'])
})

test('a printed line stands above the status, and the end removes the status', () => {
  const stream = createStream(true)
  const clock = { ms: 0 }
  const terminal = new Terminal(stream, () => clock.ms)
  clock.ms = 100
  terminal.showStatus('half')
  terminal.print('a problem')
  terminal.clearStatus()
  expect(stream.written.join('')).toBe('\r\u001b[2Khalf\r\u001b[2Ka problem\n\r\u001b[2Khalf\r\u001b[2K')
})

test.each([
  [5, 4],
  [0, 79],
])('on a terminal of %i columns a status has at most %i, because a wrapped line cannot be rewritten', (columns, max) => {
  const stream = createStream(true, columns)
  const clock = { ms: 0 }
  const terminal = new Terminal(stream, () => clock.ms)
  clock.ms = 100
  terminal.showStatus('🧵'.repeat(100))
  expect(stream.written).toEqual([`\r\u001b[2K${'🧵'.repeat(max)}`])
})

test('control characters of a file are replaced', () => {
  const stream = createStream(false)
  new Terminal(stream).print('a\u001b[31m\u202eb\r')
  expect(stream.written).toEqual(['a\ufffd[31m\ufffdb\ufffd\n'])
})
