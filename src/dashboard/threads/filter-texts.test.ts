import { expect, test } from 'vitest'
import { parseView, updateSearch } from '../table/view/url-params'
import { toFilterTexts } from './filter-texts'
import { threadParams } from './thread-view'

test('each filter is named with its value, and can be removed alone', () => {
  const search =
    'prefix=order-&errors=only&model=gpt-4o,m&op=weave:///acme/support/op/ask:v1&judged=yes&answer=good%3Dtrue&turns=3&p99=2500&cost=0.25'
  const texts = toFilterTexts(parseView(threadParams, search))
  expect(texts.map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Id begins with order-',
    'Errors only',
    'Model gpt-4o',
    'Model m',
    'Operation ask',
    'Judged yes',
    'Answer good=true',
    'Turns from 3',
    'p99 from 2.50 s',
    'Cost from 0.25 USD',
  ])
  const [, , model] = texts
  expect(updateSearch(threadParams, search, model?.removed ?? {})).toContain('model=m&')
  let rest = search
  for (const _ of texts) rest = updateSearch(threadParams, rest, toFilterTexts(parseView(threadParams, rest))[0]?.removed ?? {})
  expect(rest).toBe('')
})
