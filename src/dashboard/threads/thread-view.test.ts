import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { streamThreads } from '../../contract/threads'
import { parseView } from '../table/view/url-params'
import { parseThreadIds } from './parse-thread-ids'
import { hasTimeFilter, hasThreadFilters, threadFilter, threadParams } from './thread-view'

const now = Date.parse('2026-06-08T12:00:00Z')
const filterOf = (search: string) => threadFilter(parseView(threadParams, search), now)

test.each([
  ['', {}],
  ['window=1h', { after_datetime: '2026-06-08T11:00:00.000Z' }],
  ['window=7d', { after_datetime: '2026-06-01T12:00:00.000Z' }],
  ['before=2026-01-01', { before_datetime: '2026-01-01' }],
  ['after=nonsense', {}],
  ['thread=a,b%5C,c', { thread_ids: ['a', 'b,c'] }],
])('"%s" filters by %j', (search, filter) => {
  expect(filterOf(search)).toEqual(filter)
  expect(z.safeParse(streamThreads.request, { project_id: 'e/p', filter: filterOf(search) }).success).toBe(true)
})

test('a window covers only some turns, thread ids cover all of theirs', () => {
  expect(hasTimeFilter(parseView(threadParams, 'window=24h'))).toBe(true)
  expect(hasTimeFilter(parseView(threadParams, 'thread=a'))).toBe(false)
  expect(hasThreadFilters(parseView(threadParams, 'thread=a'))).toBe(true)
})

test.each([
  ['a\nb\n\na', ['a', 'b']],
  ['a, b;c\td', ['a', 'b', 'c', 'd']],
  ['["a","b c"]', ['a', 'b c']],
  ['"a",\n\'b\'', ['a', 'b']],
  ['[{"thread_id":"a","turn_count":1},{"thread_id":"b"}]', ['a', 'b']],
  ['{"thread_id":"a"}\n{"thread_id":"b"}\n', ['a', 'b']],
  ['[not json', ['[not json']],
  ['späti/日本', ['späti/日本']],
  ['', []],
])('%j names the threads %j', (text, ids) => {
  expect(parseThreadIds(text)).toEqual(ids)
})
