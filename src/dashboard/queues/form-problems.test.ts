import { expect, test } from 'vitest'
import { formProblems } from './form-problems'

const problem = (loc: string[], msg: string) => ({ loc, msg, type: 'value_error' })

test('puts each problem at its field', () => {
  const found = formProblems([
    problem(['body', 'name'], 'Too long.'),
    problem(['body', 'description'], 'Must be a string.'),
    problem(['body', 'scorer_refs'], 'Too many.'),
    problem(['body', 'scorer_refs', '3'], 'Unreadable.'),
    problem(['body', 'scorer_refs', '3'], 'Unknown.'),
  ])
  expect(found).toMatchObject({ name: 'Too long.', description: 'Must be a string.', scorerRefs: 'Too many.', others: [] })
  expect([...found.byRef]).toEqual([[3, 'Unreadable. Unknown.']])
})

test('keeps what no field stands for', () => {
  expect(
    formProblems([problem(['body', 'project_id'], 'No.'), problem(['header', 'idempotency-key'], 'Bad key.'), problem([], 'Hm.')])
      .others,
  ).toEqual(['project_id: No.', 'Bad key.', 'Hm.'])
})
