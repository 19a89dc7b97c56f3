import { expect, test } from 'vitest'
import { StoreError } from './store/store-error'
import { createLogger, type LogLevel } from './create-logger'

function captureLog(level: LogLevel, isTerminal = false) {
  const lines: string[] = []
  const logger = createLogger({ level, isTerminal, destination: { write: (line) => lines.push(line) } })
  return { logger, lines, entries: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) }
}

test('writes one JSON object per line, from its level up', () => {
  const { logger, lines, entries } = captureLog('info')
  logger.debug('not written')
  logger.info({ count: 3 }, 'catalog updated')
  logger.error({ err: new Error('disk full') }, 'write failed')
  expect(entries()).toMatchObject([
    { level: 30, name: 'spool', count: 3, msg: 'catalog updated' },
    { level: 50, err: { type: 'Error', stack: expect.stringContaining('create-logger.test') } },
  ])
  expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
})

test.each([
  ['debug', 4],
  ['info', 3],
  ['warn', 2],
  ['error', 1],
  ['silent', 0],
] as const)('level %s writes %i of the four levels', (level, count) => {
  const { logger, lines } = captureLog(level)
  for (const each of ['debug', 'info', 'warn', 'error'] as const) logger[each](each)
  expect(lines).toHaveLength(count)
})

test('on a terminal a line is readable text, and a stack trace follows it', () => {
  const { logger, lines } = captureLog('debug', true)
  logger.info({ route: '/cost/query', status: 422, problems: ['missing'] }, 'request failed')
  logger.error({ err: new StoreError('failed', 'UNKNOWN_TABLE (60)') }, 'write failed')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d INFO {2}request failed route=\/cost\/query status=422 problems=\["missing"\]\n$/)
  expect(lines[1]).toMatch(
    /^\d\d:\d\d:\d\d ERROR write failed\nStoreError: UNKNOWN_TABLE \(60\)\n +at [^]*create-logger\.test[^]*\n$/,
  )
})

test('text of a client cannot control the terminal', () => {
  const { logger, lines } = captureLog('info', true)
  logger.info({ path: '/\u001b[2J\u009b31m\r', err: new Error('\u001b]0;title\u0007') }, 'request failed')
  expect(lines.join('')).not.toMatch(/[^\P{Cc}\n\t]/u)
  expect(lines[0]).toContain(String.raw`path=/\u001b[2J\u009b31m\u000d`)
})

test('an error is logged with its type, code and place, with the message only of our own errors, and with its cause', () => {
  const { logger, lines, entries } = captureLog('info')
  const cause = Object.assign(new Error('secret'), { code: 'ECONNREFUSED', config: { headers: { authorization: 'secret' } } })
  logger.error({ err: Object.assign(new StoreError('failed', 'no store', { cause }), { request: 'secret' }) }, 'failed')
  logger.error({ err: 'secret, and no error object' }, 'failed')
  logger.error({ err: new StoreError('unavailable', 'the disk is full') }, 'failed')
  expect(entries()).toMatchObject([
    {
      err: {
        message: 'no store',
        stack: expect.stringContaining('create-logger.test'),
        cause: { type: 'Error', code: 'ECONNREFUSED', stack: expect.stringContaining('create-logger.test') },
      },
    },
    { err: { type: 'string' } },
    { err: { type: 'StoreError', message: 'the disk is full' } },
  ])
  expect(entries()[2]).not.toHaveProperty('err.stack') // nothing is wrong at the place that found the disk full
  expect(lines.join('')).not.toContain('secret')
})

test.each(['secret', 'first\n    at secret (file:///secret.js:1:2)\n    at secret'])(
  'an error whose message quotes what a client sent (%j) is logged without it, also in the stack',
  (message) => {
    const { logger, lines } = captureLog('info')
    logger.error({ err: new TypeError(message) }, 'failed')
    logger.error({ err: new Error('', { cause: new Error(message) }) }, 'failed')
    expect(lines.join('')).not.toContain('secret')
    expect(lines.join('').match(/create-logger\.test/g)?.length).toBeGreaterThan(2)
  },
)

test('at level debug, a line of its own has the texts of the error', () => {
  const { logger, entries } = captureLog('debug')
  logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed')
  expect(entries()).toMatchObject([{ level: 50 }, { level: 20, texts: ['Error: outer', 'Error: inner'] }])
  expect(JSON.stringify(entries()[0])).not.toMatch(/outer|inner/)
})
