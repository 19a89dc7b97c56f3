import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { streamThreads } from '../../contract/threads'
import { parseView } from '../table/view/url-params'
import { parseThreadIds } from './parse-thread-ids'
import { SearchThreads } from '../../contract/thread-search-requests'
import { callFilter, hasThreadFilters, hasTimeFilter, needsSearch, threadFilter, threadParams } from './thread-view'

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

test.each([
  ['text=refund*+late&prefix=order-', { text: 'refund* late', thread_id_prefix: 'order-' }],
  [
    'errors=only&model=gpt-4o,m%5C,n&op=answer&user=kim',
    { has_errors: true, models: ['gpt-4o', 'm,n'], op_names: ['answer'], users: ['kim'] },
  ],
  ['turns=3&p50=1500&p99=2000&cost=0.25', { min_turns: 3, min_p50_ms: 1500, min_p99_ms: 2000, min_cost: '0.25' }],
  [
    'judged=no&answer=good+%3D+true,stars%3D4.5,grade%3D"1",tone%3Dkind,note',
    {
      is_judged: false,
      answers: [
        { scorer: 'good', value: true },
        { scorer: 'stars', value: 4.5 },
        { scorer: 'grade', value: '1' },
        { scorer: 'tone', value: 'kind' },
        { scorer: 'note' },
      ],
    },
  ],
  ['text=+&errors=no&turns=-1&cost=1e3', {}],
  ['text=*', {}],
  ['text="&prefix=order-', { thread_id_prefix: 'order-' }],
  ['text=👍', {}],
  ['text=👍+спасибо', { text: '👍 спасибо' }],
  ['text=_', { text: '_' }],
])('"%s" searches by %j', (search, filter) => {
  const view = parseView(threadParams, search)
  expect(callFilter(view)).toEqual(filter)
  expect(needsSearch(view)).toBe(Object.keys(filter).length > 0)
  expect(z.safeParse(SearchThreads, { project_id: 'e/p', filter: callFilter(view) }).success).toBe(true)
})

test('an order by figures of calls needs a search too', () => {
  expect(needsSearch(parseView(threadParams, 'sort=-error_count'))).toBe(true)
  expect(needsSearch(parseView(threadParams, 'sort=-turn_count'))).toBe(false)
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
