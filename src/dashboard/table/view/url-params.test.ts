import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { updateSearch, validStringParam, enumParam, parseView, tableParams, text, stringListParam } from './url-params'

const params = {
  ...tableParams(['name', 'cost', 'date'], [{ id: 'date', direction: 'desc' }]),
  search: text(),
  providers: stringListParam(),
  unit: { ...enumParam(['token', '1M'], '1M'), keepsPage: true },
  day: validStringParam((value) => /^\d{4}-\d\d-\d\d$/.test(value)),
}

test('an empty address is the default view', () => {
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

test('a wrong key is dropped and the others count', () => {
  const view = parseView(params, '?sort=-nothing&page=-3&size=51&unit=1G&day=monday&search=gpt&hidden=cost,nothing')
  expect(view).toMatchObject({ page: 1, size: 50, unit: '1M', day: '', search: 'gpt', hidden: ['cost'] })
  expect(view.sort).toEqual([{ id: 'date', direction: 'desc' }])
})

test('of several sort keys only the wrong ones are dropped', () => {
  expect(parseView(params, 'sort=-cost,nothing,name,cost').sort).toEqual([
    { id: 'cost', direction: 'desc' },
    { id: 'name', direction: 'asc' },
  ])
})

test('no sorting differs from the default sorting', () => {
  const search = updateSearch(params, '', { sort: [] })
  expect(search).toBe('sort=')
  expect(parseView(params, search).sort).toEqual([])
})

test('defaults are left out and keys of others stay', () => {
  expect(updateSearch(params, 'theme=dark&page=4&unit=token', { unit: '1M' })).toBe('theme=dark&page=4')
})

test('a change of what is shown goes back to the first page, a change of how does not', () => {
  expect(updateSearch(params, 'page=4', { search: 'a' })).toBe('search=a')
  expect(updateSearch(params, 'page=4', { row: 'x' })).toBe('page=4&row=x')
  expect(updateSearch(params, 'page=4', { page: 5 })).toBe('page=5')
})

test('what is written is read again', () => {
  fc.assert(
    fc.property(
      fc.record({
        providers: fc.array(fc.string({ maxLength: 8 }), { maxLength: 5 }),
        search: fc.string({ maxLength: 20 }),
        row: fc.string({ unit: 'grapheme', maxLength: 20 }),
        page: fc.integer({ min: 1, max: 999 }),
        hidden: fc.option(fc.subarray(['name', 'cost']), { nil: undefined }),
      }),
      (change) => {
        expect(parseView(params, updateSearch(params, '', change))).toMatchObject(change)
      },
    ),
  )
})
