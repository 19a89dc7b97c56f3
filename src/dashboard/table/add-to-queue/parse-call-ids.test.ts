import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { parseCallIds } from './parse-call-ids'

test('ids stand one a line, and what is no id is reported with its line', () => {
  expect(parseCallIds('00f067aa0ba902b7\n\nno/id\n00f067aa0ba902b7\n')).toEqual({
    ids: ['00f067aa0ba902b7'],
    repeatedCount: 1,
    badLines: [{ line: 3, text: 'no/id', reason: 'An id has letters, digits and - _ . : only.' }],
  })
})

test.each<[string, string, string[]]>([
  ['commas', 'a1, b2 ,c3', ['a1', 'b2', 'c3']],
  ['spaces, as shells and chats write them', ' a1 b2  c3\nd4', ['a1', 'b2', 'c3', 'd4']],
  ['any of these', 'a1 b2,c3\td4\n"e5 f6"', ['a1', 'b2', 'c3', 'd4', 'e5', 'f6']],
  ['references on one line', 'weave:///acme/support/call/a1 weave:///acme/support/call/b2', ['a1', 'b2']],
  ['CSV with other columns', 'score,Call_ID,note\n4,a1,"good, very"\n5,"b2",\n', ['a1', 'b2']],
  ['CSV of which every cell is quoted', '"id"\r\n"a1"\r\n"b2"\r\n', ['a1', 'b2']],
  ['tabs', 'name\tid\nx\ta1\ny\tb2', ['a1', 'b2']],
  ['semicolons, as spreadsheets in many countries write them', 'id;note\na1;x\nb2;y', ['a1', 'b2']],
  ['a byte order mark', '\uFEFFid\na1', ['a1']],
  ['a JSON list', '["a1", "b2"]', ['a1', 'b2']],
  ['JSON objects', '[{"id": "a1", "op": "x"}, {"call_id": "b2", "id": "other"}]', ['a1', 'b2']],
  ['a list within an object', '{"call_ids": ["a1", "b2"]}', ['a1', 'b2']],
  ['JSON lines', '{"id": "a1"}\n{"id": "b2"}\n', ['a1', 'b2']],
  ['JSON lines of text', '"a1"\n"b2"', ['a1', 'b2']],
  ['one object', '{"id": "a1", "inputs": [1]}', ['a1']],
  ['references', 'weave:///acme/support/call/a1\nspool:///acme/support/call/b2', ['a1', 'b2']],
  ['nothing', ' \n ', []],
])('%s', (_, text, ids) => {
  expect(parseCallIds(text)).toMatchObject({ ids, badLines: [] })
})

test.each([
  ['{"id": "a1"}\n{broken\n{"name": "x"}\n{"id": 7}', [2, 3, 4]],
  ['id,x\n,1\na1,2', [2]],
  [`${'x'.repeat(257)}\na1`, [1]],
])('%j has bad lines %j', (text, lines) => {
  const { ids, badLines } = parseCallIds(text)
  expect(ids).toEqual(['a1'])
  expect(badLines.map(({ line }) => line)).toEqual(lines)
})

const callId = fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-f]{16}$/))

testProperty(
  'ids come back from every form that they are written in',
  fc.record({
    ids: fc.uniqueArray(callId, { minLength: 2, maxLength: 30 }),
    form: fc.constantFrom<(ids: string[]) => string>(
      (ids) => ids.join('\n'),
      (ids) => ids.join('\r\n'),
      (ids) => ids.join(', '),
      (ids) => ids.join(' '),
      (ids) => `op,id\n${ids.map((id) => `"a ""b"", c",${id}`).join('\n')}`,
      (ids) => JSON.stringify(ids, null, 2),
      (ids) => JSON.stringify({ call_ids: ids }),
      (ids) => JSON.stringify(ids.map((id) => ({ id }))),
      (ids) => ids.map((id) => JSON.stringify({ call_id: id })).join('\n'),
      (ids) => ids.map((id) => `weave:///a/b/call/${id}`).join('\n'),
    ),
  }),
  { runs: 200 },
  ({ ids, form }) => {
    expect(parseCallIds(form(ids))).toEqual({ ids, repeatedCount: 0, badLines: [] })
  },
)

testProperty('any text gives ids and bad lines, and never fails', fc.string({ maxLength: 200 }), { runs: 500 }, (text) => {
  const { ids, badLines } = parseCallIds(text)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[\w.:-]{1,256}$/)
  for (const { line } of badLines) expect(line).toBeGreaterThan(0)
})
