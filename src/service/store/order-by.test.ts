import { expect, test } from 'vitest'
import { columnsByName, orderBy } from './order-by'
import { renderSql, sql } from './sql'

const columns = { name: sql`lower(name)`, age: sql`age` }
type Keys = Parameters<typeof orderBy<keyof typeof columns>>[0]
const orderText = (keys: Keys) => renderSql(orderBy(keys, columns, sql`id ASC`)).text

test('the keys count in their order, nulls are last, and the tie breaker comes last', () => {
  expect(
    orderText([
      { field: 'age', direction: 'desc' },
      { field: 'name', direction: 'asc' },
    ]),
  ).toBe('ORDER BY age DESC NULLS LAST, lower(name) ASC NULLS LAST, id ASC')
})

test('without keys the tie breaker alone decides', () => {
  expect(orderText([])).toBe('ORDER BY id ASC')
})

test('a field that occurs again is left out, so a long list does not make the text long', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => ({
    field: index % 2 === 0 ? ('name' as const) : ('age' as const),
    direction: index < 2 ? ('desc' as const) : ('asc' as const),
  }))
  expect(orderText(keys)).toBe('ORDER BY lower(name) DESC NULLS LAST, age DESC NULLS LAST, id ASC')
})

test('fields that are columns need no lookup of their own', () => {
  const key = { field: 'age', direction: 'asc' } as const
  expect(renderSql(orderBy([key], columnsByName(['age', 'id']), sql`id ASC`)).text).toBe('ORDER BY age ASC NULLS LAST, id ASC')
})
