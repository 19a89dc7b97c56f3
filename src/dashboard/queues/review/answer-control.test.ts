import { describe, expect, test } from 'vitest'
import {
  type AnswerControl,
  findChoices,
  hasManyChoices,
  isOptional,
  readAnswer,
  toAnswerControl,
  toEntered,
  toggleChoice,
} from './answer-control'

test('a schema of categories becomes choices with the keys 1 to 9', () => {
  expect(toAnswerControl({ type: 'string', enum: ['kind', 'rude'] })).toEqual({
    kind: 'one-of',
    choices: [
      { label: 'kind', value: 'kind', key: '1' },
      { label: 'rude', value: 'rude', key: '2' },
    ],
  })
})

const toLabels = (schema: Readonly<Record<string, unknown>>) => {
  const control = toAnswerControl(schema)
  return 'choices' in control
    ? `${control.kind}: ${control.choices.map(({ label, key }) => `${key} ${label}`).join(', ')}`
    : control
}

test.each([
  [{ type: 'boolean' }, 'one-of: y Yes, n No'],
  [{ type: 'integer', minimum: 1, maximum: 5 }, 'one-of: 1 1, 2 2, 3 3, 4 4, 5 5'],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 4 }, 'one-of: 1 1, 2 2, 3 3'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'some-of: 1 a, 2 b'],
  [{ enum: [null, 1, 'x'] }, 'one-of: 1 1, 2 x'],
  [{ $ref: '#/$defs/Tone', $defs: { Tone: { type: 'string', enum: ['kind'] } } }, 'one-of: 1 kind'],
  [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'one-of: y Yes, n No'],
  [{ type: ['boolean', 'null'] }, 'one-of: y Yes, n No'],
  [
    { type: 'integer', minimum: 0, maximum: 10 },
    { kind: 'number', min: 0, max: 10, step: 1 },
  ],
  [
    { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.1 },
    { kind: 'number', min: 0, max: 1, step: 0.1 },
  ],
  [{ type: 'number' }, { kind: 'number', min: undefined, max: undefined, step: undefined }],
  [
    { type: 'string', maxLength: 20 },
    { kind: 'text', maxLength: 20 },
  ],
  [{ type: 'object' }, { kind: 'json' }],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }],
  [{ $ref: '#/$defs/Loop', $defs: { Loop: { $ref: '#/$defs/Loop' } } }, { kind: 'json' }],
])('%j is asked for with %j', (schema, expected) => {
  expect(toLabels(schema)).toEqual(expected)
})

test.each([
  [{ type: 'boolean' }, false],
  [{ type: ['boolean', 'null'] }, true],
  [{ type: 'string' }, true],
  [{ type: 'string', minLength: 1 }, false],
  [{ type: 'array', items: { enum: ['a'] } }, true],
  [{ type: 'array', items: { enum: ['a'] }, minItems: 1 }, false],
  [{ type: 'number' }, false],
  [{ type: 'number', 'x-optional': true }, true],
])('whether %j may stay empty: %j', (schema, expected) => {
  expect(isOptional(schema, toAnswerControl(schema))).toBe(expected)
})

describe('what is entered is read as the value that is sent', () => {
  test.each([
    [{ type: 'boolean' }, false, { value: false }],
    [{ type: 'boolean' }, undefined, { problem: 'Choose one.' }],
    [{ type: ['boolean', 'null'] }, undefined, undefined],
    [{ type: 'number', maximum: 1, minimum: 0 }, '0.5', { value: 0.5 }],
    [{ type: 'number', maximum: 1, minimum: 0 }, '1.5', { problem: 'Must be 1 or less, not 1.5.' }],
    [{ type: 'number' }, 'much', { problem: 'Enter a number, such as 0.5.' }],
    [{ type: 'number' }, '1e3', { value: 1000 }],
    [{ type: 'number' }, '-1.5e0', { value: -1.5 }],
    [{ type: 'number' }, '3-', { problem: 'Enter a number, such as 0.5.' }],
    [{ type: 'number' }, '1e999', { problem: 'Enter a number, such as 0.5.' }],
    [{ type: 'number' }, ' ', { problem: 'Enter a number.' }],
    [{ type: 'integer' }, '1.5', { problem: 'Must be a whole number, not 1.5.' }],
    [{ type: 'string' }, 'good', { value: 'good' }],
    [{ type: 'string' }, ' \n', undefined],
    [{ type: 'string', maxLength: 2 }, 'abc', { problem: 'Too long: at most 2 characters.' }],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], { problem: 'Too many: at most 1.' }],
    [{ type: 'object' }, '{"a":1}', { value: { a: 1 } }],
    [{ type: 'object', properties: { a: { type: 'string' } } }, '{"a":1}', { problem: 'a: Must be a text, not 1.' }],
    [{ type: 'object' }, '{', { problem: 'This is not JSON. Texts need quotes: "so".' }],
  ])('%j, %j: %j', (schema, entered, expected) => {
    expect(readAnswer(schema, toAnswerControl(schema), entered)).toEqual(expected)
  })
})

describe('choices', () => {
  const yesNo = toAnswerControl({ type: 'boolean' })
  const tones = toAnswerControl({ type: 'array', items: { enum: ['kind', 'rude'] } })
  const scale = toAnswerControl({ type: 'integer', minimum: 0, maximum: 5 })
  const find = (control: AnswerControl, key: string) =>
    'choices' in control ? control.choices.find((choice) => choice.key === key)?.label : undefined

  test('keys choose by letter, by place or by value', () => {
    expect(['y', 'n', '1', '2', '3'].map((key) => find(yesNo, key))).toEqual(['Yes', 'No', undefined, undefined, undefined])
    expect(['1', '2', '3', 'y'].map((key) => find(tones, key))).toEqual(['kind', 'rude', undefined, undefined])
    expect(['0', '5', '6'].map((key) => find(scale, key))).toEqual(['0', '5', undefined])
  })

  test('of several each press adds or removes one', () => {
    const kind = { label: 'kind', value: 'kind', key: '1' }
    expect(toggleChoice('some-of', undefined, kind)).toEqual(['kind'])
    expect(toggleChoice('some-of', ['rude', 'kind'], kind)).toEqual(['rude'])
    expect(toggleChoice('one-of', 'rude', kind)).toBe('kind')
  })
})

test('a stored answer stands in its control as it was entered', () => {
  for (const [schema, value] of [
    [{ type: 'number' }, 0.5],
    [{ type: 'object' }, { a: [1] }],
    [{ type: 'boolean' }, false],
    [{ type: 'string' }, 'x'],
  ] as const) {
    const control = toAnswerControl(schema)
    expect(readAnswer(schema, control, toEntered(control, value))).toEqual({ value })
  }
})

const manyWords = Array.from({ length: 31 }, (_, index) => `intent ${index}`)

test('more than thirty choices are found by their words, in any order; those that begin with the text come first', () => {
  const control = toAnswerControl({ enum: ['twice a refund', ...manyWords, 'refund twice'] })
  if (!hasManyChoices(control)) throw new Error('These are many choices.')
  const labels = (text: string) => findChoices(control.choices, text).map(({ label }) => label)
  expect(labels('Refund TWICE')).toEqual(['refund twice', 'twice a refund'])
  expect(labels('nothing such')).toEqual([])
  expect(findChoices(control.choices, ' ')).toBe(control.choices)
  expect(hasManyChoices(toAnswerControl({ enum: manyWords.slice(0, 30) }))).toBe(false)
})
