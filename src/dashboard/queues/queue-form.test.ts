import { expect, test } from 'vitest'
import { QueueFormValues, toDraft, toFormValues, toServerErrors } from './queue-form'

const ref = 'weave:///acme/support/scorer/Tone:v1'
const usual = { reviews_per_item: 1, assignees: [] }
const problem = (loc: string[], msg: string) => ({ loc, msg, type: 'value_error' })

test('a draft becomes form values and form values become the same draft', () => {
  const content = { name: 'Refunds', description: 'Why', scorer_refs: [ref], reviews_per_item: 2, assignees: ['ann', 'bob'] }
  const draft = { ...content, idempotencyKey: 'key-1' }
  expect(toFormValues(draft)).toEqual({ ...content, scorer_refs: [{ text: ref }], newRef: '' })
  expect(toDraft(toFormValues(draft), 'key-1')).toEqual(draft)
})

test('the form requires a name and 1 to 100 references', () => {
  const messages = (name: string, refs: string[]) =>
    QueueFormValues.safeParse(
      toFormValues({ ...usual, idempotencyKey: '', name, description: '', scorer_refs: refs }),
    ).error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(messages(' ', [])).toEqual([
    ['name', 'A name is required: 1 to 255 characters.'],
    ['scorer_refs', 'At least one scorer reference is needed.'],
  ])
  expect(
    messages(
      'a',
      Array.from({ length: 101 }, () => ref),
    ),
  ).toEqual([['scorer_refs', 'At most 100 scorer references fit into one queue.']])
  expect(messages('a', [ref])).toBeUndefined()
})

test('the form says where fewer people are assigned than an item needs', () => {
  const values = toFormValues({ idempotencyKey: '', name: 'a', description: '', scorer_refs: [ref], ...usual })
  const problems = QueueFormValues.safeParse({ ...values, reviews_per_item: 2, assignees: ['ann'] }).error?.issues
  expect(problems?.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['assignees', expect.stringMatching(/^Each item needs 2 different people, but only 1 are assigned/) as string],
  ])
  expect(QueueFormValues.safeParse({ ...values, reviews_per_item: 2 }).success).toBe(true)
})

test('each problem of a 422 response goes to the field that its loc names', () => {
  const errors = toServerErrors([
    problem(['body', 'name'], 'Too long.'),
    problem(['body', 'description'], 'Must be a string.'),
    problem(['body', 'scorer_refs'], 'Too many.'),
    problem(['body', 'assignees'], 'Too few.'),
    problem(['body', 'scorer_refs', '3'], 'Unreadable.'),
    problem(['body', 'scorer_refs', '3'], 'Unknown.'),
  ])
  expect(errors.fields).toEqual({
    name: 'Too long.',
    description: 'Must be a string.',
    scorer_refs: 'Too many.',
    assignees: 'Too few.',
  })
  expect([...errors.refs]).toEqual([[3, 'Unreadable. Unknown.']])
  expect(errors.others).toEqual([])
})

test('problems without a field of their own are kept for the summary', () => {
  const { others } = toServerErrors([
    problem(['body', 'project_id'], 'No.'),
    problem(['header', 'idempotency-key'], 'Bad key.'),
    problem([], 'Unknown error.'),
  ])
  expect(others).toEqual(['project_id: No.', 'Bad key.', 'Unknown error.'])
})
