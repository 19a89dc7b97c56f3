import { expect, test } from 'vitest'
import { QueryCosts } from '../../contract/cost-requests'
import { parseView } from '../table/view/url-params'
import { startedQuery } from './cost-query'
import { queryByModels } from './records/model-costs-query'
import { filterQuery } from './record-request'

import { toAsOfInstant, costParams, hasCostFilters } from './cost-view'
import * as z from 'zod/mini'

const now = '2026-06-01T12:00:00Z'

test.each([
  '',
  'search=o%27Neil%22',
  'provider=openai,azure',
  'source=yours',
  'source=catalog&start=scheduled&search=gpt&provider=openai',
])('the filters of "%s" make a request the wire accepts', (search) => {
  const query = filterQuery(parseView(costParams, search), now)
  expect(query === undefined).toBe(search === '')
  const parsed = z.safeParse(QueryCosts, { project_id: 'e/p', query })
  expect(parsed.error?.issues).toBeUndefined()
})

test('every word of a search is a condition of its own', () => {
  const query = filterQuery(parseView(costParams, 'search=+4o++azure+'), now)
  expect(query?.$expr).toHaveProperty('$and')
  const text = JSON.stringify(query)
  for (const word of ['4o', 'azure']) expect(text).toContain(`{"$literal":"${word}"}`)
})

test('two hundred models fit in one request', () => {
  const models = Array.from({ length: 200 }, (_, index) => `model-${index}`)
  expect(z.safeParse(QueryCosts, { project_id: 'e/p', query: queryByModels(models) }).success).toBe(true)
  expect(z.safeParse(QueryCosts, { project_id: 'e/p', query: startedQuery(now) }).success).toBe(true)
})

test('a day counts to its end, an instant as it is, and nonsense is neither', () => {
  expect(toAsOfInstant(parseView(costParams, 'asof=2026-02-28T10:00:00Z'), 0)).toBe('2026-02-28T10:00:00Z')
  expect(parseView(costParams, 'asof=2026-02-28T25:00:00Z').asof).toBe('')
  expect(toAsOfInstant(parseView(costParams, 'asof=2026-02-28'), 0)).toBe('2026-02-28T23:59:59.999999Z')
  expect(parseView(costParams, 'asof=2026-02-30').asof).toBe('')
  expect(hasCostFilters(parseView(costParams, 'asof=2026-02-28'))).toBe(false)
})
