import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { RefusedCalls } from '../refused-calls'
import { type BatchPortion, prepareUpsert } from './prepare-batch'
import { storeBatch, unreadableCall } from './store-batch'

let fixture: CallWriterFixture

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const user = { username: 'ann', projects: '*' as const }
/** Its id is a digit, sixteen times. */
const start = (digit: string, more: object = {}) => ({
  mode: 'start',
  req: {
    start: {
      project_id: 'acme/support',
      id: digit.repeat(16),
      trace_id: digit.repeat(32),
      op_name: 'answer',
      started_at: '2026-01-01T00:00:00Z',
      attributes: {},
      inputs: {},
      ...more,
    },
  },
})

/** Validation refuses what the engine cannot read, so a time is damaged between the two. */
async function* damageTimes(portions: Iterable<BatchPortion>, time: string): AsyncGenerator<BatchPortion> {
  for (const portion of portions) {
    const text = Buffer.from(portion.bytes).toString()
    yield { ...portion, bytes: new TextEncoder().encode(text.replaceAll(time, 'x'.repeat(time.length))) }
  }
}

test('a call that the engine cannot read gets its error in its place, also beside items that are not valid', async () => {
  const batch = [
    start('a'),
    start('b', { started_at: 'yesterday' }),
    start('c', { started_at: '2026-01-01T00:00:07Z' }),
    start('d'),
  ]
  const body = new TextEncoder().encode(JSON.stringify({ batch }))
  const portions = prepareUpsert.prepare(body, { user, path: {} }, { newId: () => 'new' })
  const refused = new RefusedCalls(() => 0)
  const { json, refusedCount } = await storeBatch(
    damageTimes(portions, '2026-01-01 00:00:07'),
    { user, reader: { share: { user: 'ann', projectId: '' }, signal: new AbortController().signal } },
    { writer: fixture.writer, refused },
  )
  expect(JSON.parse(`[${Buffer.from(json).toString()}]`)).toEqual([
    { id: 'a'.repeat(16), trace_id: 'a'.repeat(32) },
    { error: expect.objectContaining({ loc: ['body', 'batch', '1', 'req', 'start', 'started_at'] }) },
    { error: { loc: ['body', 'batch', '2'], msg: unreadableCall, type: 'value_error' } },
    { id: 'd'.repeat(16), trace_id: 'd'.repeat(32) },
  ])
  expect(refusedCount).toBe(2)
  expect(refused.latest.map(({ problem }) => problem.loc[2])).toEqual(['2', '1'])
})
