import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { schemaForRows } from './row-schemas'

test('a schema is compiled once, when many rows have come', () => {
  const row = z.object({ id: z.string() })
  const first = schemaForRows(row, 100)
  expect(schemaForRows(row, 100)).toBe(first)
  const compiled = schemaForRows(row, 1000)
  expect(compiled).not.toBe(first)
  expect(schemaForRows(row, 1)).toBe(compiled)
})
