import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAnnotationSpec } from '../../../contract/annotation-spec'
import { findFieldProblem, findSchemaProblem, toJsonKey } from '../../../contract/field-schema'
import { decodeScorerName, parseScorerRef } from '../../../contract/scorer-ref'
import {
  emptyScorer,
  findScorerProblems,
  listChoices,
  type ScorerValues,
  toFieldSchema,
  toScorerId,
  toScorerRef,
  toScorerValues,
  toSpecValue,
} from './scorer-values'

const spec = (fields: object) => ({ _type: 'AnnotationSpec', _class_name: 'AnnotationSpec', _bases: ['BaseObject'], ...fields })
const problemsOf = (values: Partial<ScorerValues>) => findScorerProblems({ ...emptyScorer, name: 'Tone', ...values })

test('the fields of the editor become an annotation spec, and an annotation spec becomes the same fields', () => {
  const values: ScorerValues = {
    ...emptyScorer,
    name: ' Tone ',
    description: 'How it sounds',
    type: 'category',
    choices: ['polite', '', ' rude '],
  }
  const value = toSpecValue(values)
  expect(value).toEqual({
    name: 'Tone',
    description: 'How it sounds',
    field_schema: { type: 'string', enum: ['polite', 'rude'] },
  })
  expect(toScorerValues(spec(value), 'Tone')).toMatchObject({ name: 'Tone', type: 'category', choices: ['polite', 'rude'] })
})

test.each<[Partial<ScorerValues>, object]>([
  [{ type: 'boolean' }, { type: 'boolean' }],
  [
    { type: 'boolean', isRequired: false },
    { type: 'boolean', 'x-optional': true },
  ],
  [{ type: 'number' }, { type: 'integer', minimum: 1, maximum: 5 }],
  [
    { type: 'number', isWhole: false, min: '0', max: '.5', step: '0.1' },
    { type: 'number', minimum: 0, maximum: 0.5, multipleOf: 0.1 },
  ],
  [{ type: 'number', min: '', max: '' }, { type: 'integer' }],
  [{ type: 'text' }, { type: 'string', minLength: 1 }],
  [{ type: 'text', isRequired: false }, { type: 'string' }],
  [
    { type: 'text', maxLength: ' 200 ' },
    { type: 'string', minLength: 1, maxLength: 200 },
  ],
])('%j is stored as %j', (values, schema) => {
  expect(toFieldSchema({ ...emptyScorer, ...values })).toEqual(schema)
  expect(findSchemaProblem(schema)).toBeUndefined()
})

test.each<[string, Partial<ScorerValues>, keyof ScorerValues, string]>([
  ['no name', { name: ' - ' }, 'name', 'A name is required'],
  ['a name that no reference takes', { name: '評'.repeat(43) }, 'name', 'too long'],
  ['one category', { type: 'category', choices: ['a', ' '] }, 'choices', 'At least two'],
  ['a category twice', { type: 'category', choices: ['a', 'b', 'a '] }, 'choices', '“a” is there twice'],
  ['more than can be checked', { type: 'category', choices: ['a', 'b'.repeat(60_000)] }, 'choices', 'Too long'],
  ['a long description', { description: 'b'.repeat(60_000) }, 'description', 'Too long'],
  ['a word as a number', { type: 'number', min: 'one' }, 'min', 'Must be a number'],
  ['a decimal comma', { type: 'number', isWhole: false, max: '0,5' }, 'max', 'Must be a number'],
  ['a fraction among whole numbers', { type: 'number', max: '1.5' }, 'max', 'whole number'],
  ['an empty range', { type: 'number', min: '5', max: '5' }, 'max', 'greater than 5'],
  ['no step', { type: 'number', step: '0' }, 'step', 'greater than 0'],
  ['a step that misses the ends', { type: 'number', step: '2' }, 'step', 'multiples of the step'],
  ['a text of no length', { type: 'text', maxLength: '0' }, 'maxLength', '1 or greater'],
])('%s is refused at its field', (_, values, field, message) => {
  const problems = problemsOf(values)
  expect(Object.keys(problems)).toEqual([field])
  expect(problems[field]).toContain(message)
})

test('fields of another type of answer are not looked at', () => {
  expect(problemsOf({ type: 'boolean', min: 'one', maxLength: '-1', choices: [] })).toEqual({})
  expect(problemsOf({ type: 'number', isWhole: false, min: '0', max: '0.3', step: '0.1' })).toEqual({})
})

test.each([
  ['Polite tone?', 'Polite-tone'],
  ['Höflichkeit (neu)', 'Höflichkeit-neu'],
  ['評価', '評価'],
  ['-a/b:c-', 'a-b-c'],
  ['v1.2_final', 'v1.2_final'],
  ['😀', ''],
])('the scorer %j has the name %j in references', (name, id) => {
  expect(toScorerId(name)).toBe(id)
})

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const anyValues: fc.Arbitrary<ScorerValues> = fc.record({
  name: anyText,
  description: fc.string({ unit: 'grapheme' }),
  type: fc.constantFrom('boolean', 'category', 'number', 'text'),
  choices: fc.uniqueArray(anyText, { maxLength: 6 }),
  min: fc.oneof(fc.constant(''), fc.integer({ min: -9, max: 4 }).map(String)),
  max: fc.oneof(fc.constant(''), fc.integer({ min: 5, max: 9 }).map(String)),
  step: fc.constantFrom('', '1', '0.5', '1e-3'),
  isWhole: fc.boolean(),
  maxLength: fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 9999 }).map(String)),
  isRequired: fc.boolean(),
})

test('whatever the editor accepts is read back as it was stored', { timeout: 60_000 }, () => {
  let acceptedCount = 0
  const property = fc.property(anyValues, (values) => {
    if (Object.keys(findScorerProblems(values)).length > 0) return
    acceptedCount += 1
    const stored = spec(toSpecValue(values))
    const read = toScorerValues(JSON.parse(JSON.stringify(stored)), toScorerId(values.name))!
    expect(read).toMatchObject({
      name: values.name.trim(),
      description: values.description.trim(),
      type: values.type,
      isRequired: values.isRequired,
    })
    if (values.type === 'category') expect(read.choices).toEqual(listChoices(values))
    // Stored again without a change, it is the same version.
    expect(toJsonKey(toSpecValue(read, stored))).toBe(toJsonKey(stored))
    const ref = toScorerRef('acme/support', { object_id: toScorerId(values.name), digest: 'abc' })
    const parts = parseScorerRef(ref)
    expect(typeof parts === 'string' ? parts : decodeScorerName(parts.name)).toBe(toScorerId(values.name))
  })
  fc.assert(property, { seed: 20261122, numRuns: 500 })
  expect(acceptedCount).toBeGreaterThan(150)
})

test('a schema that the editor cannot express is kept to the letter, whatever it is', { timeout: 60_000 }, () => {
  const keyword = fc.constantFrom(
    'type',
    'enum',
    'minimum',
    'maximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'x-optional',
    'title',
    'anyOf',
  )
  const value = fc.oneof(
    fc.constantFrom<unknown>('string', 'boolean', 'integer', 'number', true, ['a', 'b'], ['a'], [1, 2], 1, 0.1, 10, null),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const property = fc.property(fc.dictionary(keyword, value), (schema) => {
    const stored = spec({ name: 'Tone', description: null, field_schema: schema, op_scope: ['x'] })
    const values = toScorerValues(stored, 'Tone')!
    const changed = toSpecValue({ ...values, description: 'New' }, stored)
    expect(toJsonKey(changed)).toBe(toJsonKey({ ...stored, description: 'New' }))
  })
  fc.assert(property, { seed: 20261122, numRuns: 2000 })
})

test.each([
  { type: 'array', items: { type: 'string' } },
  { type: ['boolean', 'null'] },
  { enum: ['a', 'b'] },
  { type: 'string', enum: ['a', 'b '] },
  { type: 'string', enum: ['only'] },
  { type: 'integer', enum: [1, 2] },
  { type: 'string', pattern: '^a' },
  {},
])('%j has no fields in the editor', (field_schema) => {
  expect(toScorerValues(spec({ name: 'Tone', field_schema }), 'Tone')?.type).toBe('other')
})

test('what is no annotation spec is not edited', () => {
  expect(toScorerValues({ _class_name: 'Scorer', name: 'Tone' }, 'Tone')).toBeUndefined()
  expect(toScorerValues(null, 'Tone')).toBeUndefined()
})

test('the answers that the preview of a range allows are those that its schema allows', () => {
  const schema = toFieldSchema({ ...emptyScorer, type: 'number', isWhole: false, min: '0', max: '1', step: '0.1' })
  const { fieldSchema } = parseAnnotationSpec(spec({ field_schema: schema }))!
  const isAllowed = (value: unknown) => findFieldProblem(fieldSchema, value, { testPattern: () => true }) === undefined
  expect([0, 0.3, 1, 1.1, 0.25].map(isAllowed)).toEqual([true, true, true, false, false])
})
