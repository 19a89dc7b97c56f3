import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CallPart, CompleteCall } from './call-writes'
import { compileSchema } from './compile-schema'

const schemas: Readonly<Record<string, z.core.$ZodType>> = {
  plain: z.object({
    id: z.string(),
    count: z.pipe(z.string(), z.transform(Number)),
    is_span: z.pipe(
      z.number(),
      z.transform((value) => value !== 0),
    ),
    at: z.nullable(z.string()),
  }),
  extended: z.extend(z.object({ id: z.string(), name: z.optional(z.string()) }), { id: z.nullable(z.string()) }),
  loose: z.looseObject({ id: z.string() }),
  checked: z.object({ id: z.string() }).check(z.refine(({ id }) => id !== 'no')),
  nested: z.object({ ids: z.array(z.object({ id: z.string() })) }),
  'object in an object': z.object({ call: z.object({ id: z.string() }) }),
  text: z.string(),
  'part of a call': CallPart,
  'complete call': CompleteCall,
}

const call = {
  project_id: 'acme/support',
  id: '0123456789abcdef',
  trace_id: '0123456789abcdef0123456789abcdef',
  op_name: 'answer',
  started_at: '2026-01-31T09:30:00Z',
  attributes: {},
  inputs: { question: 'Where is it?' },
  summary: null,
}

const values: readonly unknown[] = [
  { call: { id: 'a', more: 1 }, more: 2 },
  { call: { id: 3 } },
  call,
  { ...call, parent_id: null, turn_id: call.id, output: [1] },
  { ...call, id: 'A', started_at: 'yesterday', summary: [], trace_id: undefined },
  { mode: 'start', req: { start: call } },
  { mode: 'start', req: { start: { ...call, op_name: 7 } } },
  { mode: 'end', req: { end: { ...call, ended_at: call.started_at } } },
  { mode: 'middle', req: {} },
  { id: 'a', count: '18', at: '2026-01-31 09:30:00.500000', is_span: 1 },
  { id: 'a', count: 18, at: null, is_span: true },
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

test.each(Object.entries(schemas))('a compiled schema gives the same values and the same errors: %s', (_, schema) => {
  for (const value of values) {
    const { success, data, error } = z.safeParse(schema, value)
    const compiled = z.safeParse(compileSchema(schema), value)
    expect({ value, success: compiled.success, data: compiled.data, issues: compiled.error?.issues }).toEqual({
      value,
      success,
      data,
      issues: error?.issues,
    })
  }
})

test('objects are compiled', () => {
  expect(compileSchema(CompleteCall)).toBeInstanceOf(z.core.$ZodObjectJIT)
})
