import { expect, test } from 'vitest'
import type { SpendGroup } from '../../../contract/spend'
import { parseView } from '../../table/view/url-params'
import { toRowHref, toThreadsHref } from './spend-links'
import { spendParams } from './spend-view'
import { toSpendWindow } from './spend-window'

const view = {
  ...parseView(spendParams, ''),
  model: ['a,b', 'c'],
  provider: ['openai'],
  op: ['answer'],
  user: ['kim'],
  before: '2026-02-01T00:00:00Z',
}
const window = toSpendWindow(view, 'utc', Date.UTC(2026, 2, 1))
// The threads page has these filters under the same names.
const readHref = (href: string) => {
  const search = href.replace('/threads', '')
  return { ...parseView(spendParams, search), row: new URLSearchParams(search).get('row') }
}

test('the threads behind spend are filtered as it is, in the same window', () => {
  expect(readHref(toThreadsHref(view, window))).toMatchObject({
    model: ['a,b', 'c'],
    op: ['answer'],
    user: ['kim'],
    thread: [],
    row: null,
    before: expect.stringContaining('2026-02-01'),
  })
})

test('of a thread that is chosen, or of a row that no name stands for, the other filters stay too', () => {
  const row = { call_count: 1, thread_id: 't\\,1' } as SpendGroup // only its key is read
  expect(readHref(toRowHref(row, { ...view, group: 'thread_id' }, window))).toMatchObject({
    thread: ['t\\,1'],
    row: 't\\,1',
    user: ['kim'],
  })
  expect(readHref(toRowHref(row, { ...view, user: [], group: 'user' }, window))).toMatchObject({ op: ['answer'], thread: [] })
})
