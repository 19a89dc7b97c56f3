import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallsFilter } from '../../contract/call-requests'
import { maxFilterValues } from '../../contract/limits'
import { sql, uint64 } from '../store/sql'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { countCalls } from './count-calls'

const projectId = 'acme/support'
/** Call n has the op `ask-<n>`, version 1, and refers to ten objects of its own. */
const callCount = 100_000

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  await fixture.store.command(sql`
INSERT INTO calls (project_id, id, trace_id, parent_id, thread_id, turn_id, op_name, wb_user_id, started_at, inputs, output)
SELECT ${projectId}, leftPad(toString(number), 16, '0'), leftPad(toString(number), 32, '0'), leftPad(toString(number), 16, '0'),
  concat('thread-', toString(number)), leftPad(toString(number), 16, '0'), concat('weave:///a/b/op/ask-', toString(number), ':1'),
  concat('user-', toString(number)), toDateTime64('2026-01-01 00:00:00', 6, 'UTC'),
  concat('{"refs":[', arrayStringConcat(arrayMap(n -> concat('"weave:///a/b/object/o-', toString(number * 10 + n), ':1"'), range(10)), ','), ']}'),
  concat('"weave:///a/b/object/o-', toString(number), ':1"')
FROM system.numbers LIMIT ${uint64(callCount)}`)
})
afterAll(() => fixture.close())

const padded = (length: number) => (index: number) => String(index).padStart(length, '0')
const toValue = {
  call_ids: padded(16),
  trace_ids: padded(32),
  parent_ids: padded(16),
  thread_ids: (index) => `thread-${index}`,
  turn_ids: padded(16),
  op_names: (index) => `weave:///a/b/op/ask-${index}:*`,
  wb_user_ids: (index) => `user-${index}`,
  // The first of the ten.
  input_refs: (index) => `weave:///a/b/object/o-${index * 10}:1`,
  output_refs: (index) => `weave:///a/b/object/o-${index}:1`,
} satisfies Partial<Record<keyof CallsFilter, (index: number) => string>>

test.each(Object.entries(toValue))(
  `a filter of ${maxFilterValues} %s is answered within the time and memory of one statement`,
  async (key, value) => {
    // Every second one, up to beyond the last call.
    const values = Array.from({ length: maxFilterValues }, (_, index) => value(index * 2 + callCount - maxFilterValues))
    const input = { project_id: projectId, filter: { [key]: values } }
    expect(await countCalls(fixture, input, {})).toBe(maxFilterValues / 2)
  },
  60_000,
)
