import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { updateSearch, validStringParam, enumParam, parseView, tableParams, stringParam, stringListParam } from './url-params'

const params = {
  ...tableParams(['name', 'cost', 'date'], [{ id: 'date', direction: 'desc' }]),
  search: stringParam(),
  providers: stringListParam(),
  unit: { ...enumParam(['token', '1M'], '1M'), keepsPage: true },
  day: validStringParam((value) => /^\d{4}-\d\d-\d\d$/.test(value)),
}

test('an empty URL is the default view', () => {
  expect(parseView(params, '')).toEqual({
    sort: [{ id: 'date', direction: 'desc' }],
    page: 1,
    size: 50,
    row: '',
    hidden: undefined,
    search: '',
    providers: [],
    unit: '1M',
    day: '',
  })
})

test('an invalid parameter is ignored and the others count', () => {
  const view = parseView(params, '?sort=-nothing&page=-3&size=51&unit=1G&day=monday&search=gpt&hidden=cost,nothing')
  expect(view).toMatchObject({ page: 1, size: 50, unit: '1M', day: '', search: 'gpt', hidden: ['cost'] })
  expect(view.sort).toEqual([{ id: 'date', direction: 'desc' }])
})

test('only the unknown and repeated sort keys are dropped', () => {
  expect(parseView(params, 'sort=-cost,nothing,name,cost').sort).toEqual([
    { id: 'cost', direction: 'desc' },
    { id: 'name', direction: 'asc' },
  ])
})

test('a removed default sort stays removed', () => {
  const search = updateSearch(params, '', { sort: [] })
  expect(search).toBe('sort=')
  expect(parseView(params, search).sort).toEqual([])
})

test('default values are left out and unknown parameters stay', () => {
  expect(updateSearch(params, 'theme=dark&page=4&unit=token', { unit: '1M' })).toBe('theme=dark&page=4')
})

test('another set of rows starts at page 1, another look at the same rows does not', () => {
  expect(updateSearch(params, 'page=4', { search: 'a' })).toBe('search=a')
  expect(updateSearch(params, 'page=4', { row: 'x' })).toBe('page=4&row=x')
  expect(updateSearch(params, 'page=4', { page: 5 })).toBe('page=5')
})

testProperty(
  'parsing reverses formatting',
  fc.record({
    providers: fc.array(fc.string({ maxLength: 8 }), { maxLength: 5 }),
    search: fc.string({ maxLength: 20 }),
    row: fc.string({ unit: 'grapheme', maxLength: 20 }),
    page: fc.integer({ min: 1, max: 999 }),
    hidden: fc.option(fc.subarray(['name', 'cost']), { nil: undefined }),
  }),
  { runs: 100 },
  (change) => {
    expect(parseView(params, updateSearch(params, '', change))).toMatchObject(change)
  },
)
