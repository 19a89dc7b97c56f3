import { expect, test } from 'vitest'
import { orderBy } from './order-by'

const columns = { name: 'lower(name)', age: 'age' }

test('the keys count in their order, nulls are last, and the ties end it', () => {
  const keys = [
    { field: 'age', direction: 'desc' },
    { field: 'name', direction: 'asc' },
  ] as const
  expect(orderBy(keys, columns, 'id ASC')).toBe('ORDER BY age DESC NULLS LAST, lower(name) ASC NULLS LAST, id ASC')
  expect(orderBy([], columns, 'id ASC')).toBe('ORDER BY id ASC')
})

test('of a field that comes again the first counts, so that no list makes the text long', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => ({
    field: index % 2 === 0 ? ('name' as const) : ('age' as const),
    direction: index < 2 ? ('desc' as const) : ('asc' as const),
  }))
  expect(orderBy(keys, columns, 'id ASC')).toBe('ORDER BY lower(name) DESC NULLS LAST, age DESC NULLS LAST, id ASC')
})
