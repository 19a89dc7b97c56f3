import { expect, test } from 'vitest'
import { formatOpName, nameOps } from './op-name'

test.each([
  ['answer', 'answer'],
  ['openai.chat.completions.create', 'openai.chat.completions.create'],
  ['weave:///acme/support/op/answer:0aB9', 'answer'],
  ['weave:///acme corp/süß/op/first-call.answer:v3', 'first-call.answer'],
  ['weave-trace-internal:///UHJvamVjdA==/op/answer:0aB9', 'answer'],
  ['weave:///acme/support/object/Model:v1', 'weave:///acme/support/object/Model:v1'],
  ['', ''],
])('the op %j is shown as %j', (opName, shown) => {
  expect(formatOpName(opName)).toBe(shown)
})

test('ops of a list that would be called the same are told apart by their versions', () => {
  const ref = 'weave:///acme/support/op/'
  const names = nameOps([
    'plan',
    `${ref}plan:v1`,
    `${ref}ask:BHB72S2JzMAnTHlE0oEyJ1xzMkTTfDDk4t1tV9gYsQc`,
    `${ref}ask:0aB9zMAnTHlE0oEyJ1xzMkTTfDDk4t1tV9gYsQcBHB7`,
    `${ref}find:v7`,
    `${ref}find:v7`,
  ])
  expect([...names.values()]).toEqual(['plan', 'plan:v1', 'ask:BHB72S2J', 'ask:0aB9zMAn', 'find'])
})
