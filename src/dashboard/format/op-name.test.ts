import { expect, test } from 'vitest'
import { formatOpName } from './op-name'

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
