import { expect, test } from 'vitest'
import { ValidationError } from '../../client/api-error'
import { toAnswerControl } from './answer-control'
import { type AnswerField, planAnswers, readAnswers, readRefusals, settleAnswers } from './sent-answers'

const toField = (ref: string, schema: AnswerField['schema']): AnswerField => ({
  ref,
  name: ref,
  title: ref,
  description: null,
  schema,
  control: toAnswerControl(schema),
})
const good = toField('good', { type: 'boolean' })
const note = toField('note', { type: 'string' })

function counter() {
  let count = 0
  return () => `id${(count += 1)}`
}

test('what was entered becomes answers with ids, and what is stored is not sent again', () => {
  const newId = counter()
  const { answers, problems } = readAnswers([good, note], { good: true, note: 'late' })
  expect(problems).toEqual({})
  const first = planAnswers({}, answers, newId)
  expect(first.added.map(({ id, value }) => [id, value])).toEqual([
    ['id1', true],
    ['id2', 'late'],
  ])
  const stored = settleAnswers(first.sent, first.removedIds)
  expect(planAnswers(stored, answers, newId)).toEqual({ sent: stored, added: [], removedIds: [] })
})

test('an answer that may have arrived keeps its id, and a changed one gets a new id', () => {
  const newId = counter()
  const { sent } = planAnswers({}, new Map([[good, { value: true }]]), newId)
  expect(planAnswers(sent, new Map([[good, { value: true }]]), newId).added).toMatchObject([{ id: 'id1' }])
  expect(planAnswers(sent, new Map([[good, { value: false }]]), newId).added).toMatchObject([{ id: 'id2' }])
})

test('an answer that is taken back is deleted, also if it only may have arrived, and until that has succeeded', () => {
  const newId = counter()
  const { sent } = planAnswers({}, new Map([[note, { value: 'late' }]]), newId)
  const takenBack = planAnswers(sent, new Map([[note, undefined]]), newId)
  expect(takenBack).toMatchObject({ added: [], removedIds: ['id1'] })
  expect(planAnswers(takenBack.sent, new Map([[note, undefined]]), newId).removedIds).toEqual(['id1'])
  expect(settleAnswers(takenBack.sent, takenBack.removedIds)).toEqual({})
  // The deletion may have arrived too.
  expect(planAnswers(takenBack.sent, new Map([[note, { value: 'late' }]]), newId).added).toMatchObject([{ id: 'id2' }])
})

test('a refusal of the service stands at the answer it is for', () => {
  const { added } = planAnswers(
    {},
    new Map([
      [good, { value: true }],
      [note, { value: 'x' }],
    ]),
    counter(),
  )
  const problem = { loc: ['body', 'batch', '1', 'payload'], msg: 'Too short.', type: 'value_error' }
  const error = new ValidationError({ method: 'POST', path: '/x' }, { problems: [problem], text: problem.msg })
  expect(readRefusals(error, added)).toEqual({ note: 'Too short.' })
  expect(readRefusals(new Error('away'), added)).toEqual({})
})
