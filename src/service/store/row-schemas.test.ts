import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { schemaForRows } from './row-schemas'
import { count, engineTime, flag, textOrNull } from './row-types'

const rows: Readonly<Record<string, z.core.$ZodType>> = {
  plain: z.object({ id: z.string(), count, at: engineTime, is_span: flag, parent_id: textOrNull }),
  extended: z.extend(z.object({ id: z.string(), name: z.optional(z.string()) }), { id: z.nullable(z.string()) }),
  loose: z.looseObject({ id: z.string() }),
  checked: z.object({ id: z.string() }).check(z.refine(({ id }) => id !== 'no')),
  nested: z.object({ ids: z.array(z.object({ id: z.string() })) }),
  text: z.string(),
}

const values: readonly unknown[] = [
  { id: 'a', count: '18', at: '2026-01-31 09:30:00.500000', is_span: 1, parent_id: '' },
  { id: 'a', count: 18, at: null, is_span: true, parent_id: 3 },
  { id: 'a' },
  { id: null, name: undefined },
  { id: 'a', name: 'b', more: { of: 'it' } },
  { id: 'no' },
  { ids: [{ id: 'a', more: 1 }, { id: 'b' }] },
  { ids: [{ id: 'a' }, {}] },
  JSON.parse('{ "id": "a", "__proto__": { "x": 1 } }'),
  'text',
  null,
  [],
]

test.each(Object.entries(rows))('a compiled row gives the same values and the same errors: %s', (_, row) => {
  for (const value of values) {
    const { success, data, error } = z.safeParse(z.array(row), [value])
    const compiled = z.safeParse(schemaForRows(row, 1000), [value])
    expect({ value, success: compiled.success, data: compiled.data, issues: compiled.error?.issues }).toEqual({
      value,
      success,
      data,
      issues: error?.issues,
    })
  }
})

test('a schema is compiled once, when many rows have come', () => {
  const row = z.object({ id: z.string() })
  const first = schemaForRows(row, 100)
  expect(schemaForRows(row, 100)).toBe(first)
  const compiled = schemaForRows(row, 1000)
  expect(compiled).not.toBe(first)
  expect(schemaForRows(row, 1)).toBe(compiled)
})
