import { expect, test } from 'vitest'
import { findFieldProblem, findSchemaProblem, readFieldKind } from './field-schema'

const options = { testPattern: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text) }
const find = (schema: unknown, value: unknown) => {
  const problem = findFieldProblem(schema, value, options)
  return problem && [problem.path.join('.'), problem.message]
}

test('an answer is what the schema of its scorer allows, or its problem says what would be right', () => {
  const rating = { type: 'integer', minimum: 1, maximum: 5 }
  expect(readFieldKind(rating)).toBe('number')
  expect(find(rating, 4)).toBeUndefined()
  expect(find(rating, 6)).toEqual(['', 'Must be 5 or less, not 6.'])
  expect(find(rating, 'good')).toEqual(['', "Must be a whole number, not 'good'."])
})

test.each([
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'number', minimum: 0 }, 'number'],
  [{ type: 'string', enum: ['good', 'bad'] }, 'category'],
  [{ enum: [1, 2] }, 'category'],
  [{ type: 'string', maxLength: 100 }, 'text'],
  [{ type: 'array', items: { enum: ['a'] } }, 'other'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'other'],
  [null, 'other'],
])('%j is a field of the kind %s', (schema, kind) => {
  expect(readFieldKind(schema)).toBe(kind)
})

const person = {
  type: 'object',
  properties: {
    name: { $ref: '#/$defs/Name' },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, maxItems: 2 },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { Name: { type: 'string', minLength: 2, pattern: '^[A-Z]' } },
}

test.each([
  [{}, null],
  [{ type: 'null' }, null],
  [{ type: ['string', 'null'] }, null],
  [{ type: 'string', format: 'email' }, 'format is an annotation'],
  [{ type: 'number', multipleOf: 0.1 }, 0.3],
  [{ enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }],
  [{ const: 0 }, 0],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, 7],
  [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2],
  [{ not: { type: 'string' } }, 1],
  [{ type: 'string', maxLength: 1 }, '😀'],
  [person, { name: 'Zoë', tags: ['a', 'b'] }],
  [{ minimum: 5 }, 'no number'],
])('%j allows %j', (schema, value) => {
  expect(find(schema, value)).toBeUndefined()
})

test.each([
  [{ type: 'boolean' }, 1, '', 'Must be true or false, not 1.'],
  [{ type: ['string', 'null'] }, 2, '', 'Must be a text or null, not 2.'],
  [{ type: 'integer' }, 1.5, '', 'Must be a whole number, not 1.5.'],
  [{ type: 'string', enum: ['good', 'bad'] }, 'Good', '', 'Must be one of: "good", "bad".'],
  [{ const: 0 }, false, '', 'Must be 0.'],
  [{ exclusiveMinimum: 0 }, 0, '', 'Must be greater than 0.'],
  [{ exclusiveMaximum: 1 }, 1, '', 'Must be less than 1.'],
  [{ multipleOf: 0.5 }, 0.3, '', 'Must be a multiple of 0.5, not 0.3.'],
  [{ type: 'string', minLength: 1 }, '', '', 'Too short: at least 1 characters.'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 2, '', '2 is none of what this scorer allows: a text or null.'],
  [
    { oneOf: [{ type: 'integer' }, { type: 'number' }] },
    1,
    '',
    '1 is none of what this scorer allows: a whole number or a number.',
  ],
  [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, 4, '', 'Must be 3 or less, not 4.'],
  [{ not: { type: 'string' } }, 'x', '', "'x' is not allowed here."],
  [person, {}, 'name', 'This field is required.'],
  [person, { name: 'zoë' }, 'name', 'Must match the pattern ^[A-Z].'],
  [person, { name: 'Zoë', tags: ['a', 'c'] }, 'tags.1', 'Must be one of: "a", "b".'],
  [person, { name: 'Zoë', tags: ['a', 'a'] }, 'tags', 'The items must differ.'],
  [person, { name: 'Zoë', age: 3 }, 'age', 'No value is allowed here.'],
  [{ $ref: '#/$defs/Missing' }, 1, '', 'No value is allowed here.'],
  [false, 1, '', 'No value is allowed here.'],
])('%j does not allow %j', (schema, value, path, message) => {
  expect(find(schema, value)).toEqual([path, message])
})

test('a schema that refers to itself twice ends soon', () => {
  const doubling = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } }
  const startMs = performance.now()
  expect(find(doubling, 1)).toBeDefined()
  expect(performance.now() - startMs).toBeLessThan(1000)
})

const long = 'a'.repeat(900_000)
const manyItems = Array.from({ length: 300_000 }, (_, index) => index)
const manyFields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]))
const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => [inner], manyItems)
const times = (count: number, schema: object) => ({ anyOf: Array.from({ length: count }, () => schema) })
const refersTo = (schema: object) => ({ ...times(2500, { $ref: '#/$defs/a' }), $defs: { a: schema } })

test.each([
  ['choices, for a long text', { enum: Array.from({ length: 6000 }, (_, index) => index) }, long],
  ['choices that are objects', refersTo({ enum: Array.from({ length: 3000 }, (_, index) => ({ index })) }), {}],
  ['comparisons with a long value', times(1500, { const: { a: 1 } }), manyFields],
  ['comparisons of items', times(1500, { uniqueItems: true }), [...manyItems, 0]],
  ['comparisons at each level', nest(30, { uniqueItems: true, const: 1 }), deep],
  ['lengths', times(2000, { maxLength: 899_999 }), long],
  ['patterns', { allOf: Array.from({ length: 1500 }, (_, index) => ({ pattern: `a|${index}` })) }, long],
  ['fields', times(1500, { additionalProperties: { type: 'string' }, minItems: 1 }), manyFields],
  ['unchecked fields', times(1500, { not: { properties: {} } }), manyFields],
  ['required fields', refersTo({ required: Object.keys(manyFields).slice(0, 5000), not: {} }), manyFields],
  ['types', refersTo({ type: Array.from({ length: 6000 }, () => 'string') }), 1],
])('a schema of 64 KB with thousands of %s ends soon', (_, schema, value) => {
  const before = process.cpuUsage()
  expect(findFieldProblem(schema, value, { testPattern: () => true })).toBeDefined()
  // Without a bound they take minutes.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000)
})

/** A schema of lists in lists, with these keywords at each level. */
function nest(levels: number, keywords: object): object {
  return levels === 0 ? {} : { not: { not: { items: nest(levels - 1, keywords) } }, anyOf: [keywords, {}] }
}

test('a long text and a list of a thousand objects are no problem', () => {
  const text = { anyOf: [{ type: 'string', minLength: 1, maxLength: 1_000_000 }, { type: 'null' }] }
  expect(find(text, long)).toBeUndefined()
  const list = {
    type: 'array',
    uniqueItems: true,
    items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  }
  const value = Array.from({ length: 1000 }, (_, id) => ({ id, text: 'some text' }))
  expect(find(list, value)).toBeUndefined()
  expect(find({ enum: Array.from({ length: 6000 }, (_, index) => `choice ${index}`) }, 'choice 5999')).toBeUndefined()
})

test('what is too complex is refused, also where the schema says not', () => {
  const doubling = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }
  const problem = ['', 'The schema of this scorer, or this value, is too complex.']
  expect(find({ not: { $ref: '#/$defs/a' }, $defs: { a: doubling } }, 1)).toEqual(problem)
})

test.each([
  [{ type: 'boolean' }, undefined],
  [{}, undefined],
  ['boolean', 'The schema of the answers must be an object, such as {"type": "boolean"}.'],
  [{ type: 'bool' }, "Unknown type 'bool'. Known: string, number, integer, boolean, array, object, null."],
  [{ enum: [] }, "'enum' must be a list of the allowed values."],
  [{ type: 'number', minimum: '1' }, "'minimum' must be a number."],
  [{ type: 'string', pattern: '(' }, "'pattern' is no regular expression: '('."],
])('the schema %j has the problem %j', (schema, problem) => {
  expect(findSchemaProblem(schema)).toBe(problem)
})
