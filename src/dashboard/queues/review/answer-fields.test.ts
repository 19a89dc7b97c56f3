import { expect, test } from 'vitest'
import { toAnswerFields, toSpecRefs } from './answer-fields'

const spec = (field_schema: object, more: object = {}) => ({ _class_name: 'AnnotationSpec', name: 'x', field_schema, ...more })
const ref = (name: string, version = 'v0', kind = 'scorer', project = 'acme/support') =>
  `weave:///${project}/${kind}/${name}:${version}`

test('an annotation spec of the queue becomes a field with its name, version and description', () => {
  const { fields, unasked } = toAnswerFields(
    [ref('Is%20good')],
    [spec({ type: 'boolean' }, { description: 'As a customer sees it.' })],
    'acme/support',
  )
  expect(fields).toMatchObject([
    { ref: ref('Is%20good'), name: 'Is good', description: 'As a customer sees it.', control: { kind: 'one-of' } },
  ])
  expect(unasked).toEqual([])
})

test('a field has the name of its spec as its title, and else the name in its reference', () => {
  const refs = [ref('Is-it-good'), ref('Is%20short')]
  const named = spec({ type: 'boolean' }, { name: 'Is it good?' })
  const { fields } = toAnswerFields(refs, [named, spec({ type: 'boolean' }, { name: null })], 'acme/support')
  expect(fields.map(({ title }) => title)).toEqual(['Is it good?', 'Is short'])
})

test('every other reference says why nobody is asked', () => {
  const refs = [
    ref('judge'),
    ref('gone'),
    ref('far', 'v0', 'scorer', 'acme/other'),
    ref('tone'),
    ref('tone', 'v1', 'object'),
    'x',
  ]
  const values = [{ _class_name: 'Judge' }, null, spec({ type: 'boolean' }), spec({ type: 'string' })]
  expect(toSpecRefs(refs, 'acme/support')).toHaveLength(4)
  const { fields, unasked } = toAnswerFields(refs, values, 'acme/support')
  expect(fields.map(({ ref: each }) => each)).toEqual([ref('tone')])
  expect(unasked.map(({ reason }) => reason)).toEqual([
    'It is a scorer that a program runs, not an annotation spec.',
    'The project has no such object.',
    'It belongs to the project acme/other: people answer annotation specs of their own project.',
    "Another version of 'tone' is asked for already.",
    expect.stringContaining('begin with weave:///'),
  ])
})
