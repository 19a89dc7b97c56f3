import { expect, test } from 'vitest'
import { formatAnswer, toLatestAnswers } from './latest-answers'

const row = (id: string, fields: Readonly<Record<string, unknown>>) => ({
  id,
  weave_ref: 'weave:///e/p/call/c',
  feedback_type: 'wandb.annotation.tone',
  wb_user_id: 'ann',
  created_at: '2026-01-01T00:00:00Z',
  'payload.value': 'kind',
  ...fields,
})

test('of the answers of a person to a call the last one is shown', () => {
  const rows = [
    row('3', { 'payload.value': 'rude' }),
    row('2', { wb_user_id: 'bob' }),
    row('1', {}),
    row('0', { feedback_type: 'wandb.annotation.good', 'payload.value': true }),
    row('x', { feedback_type: 'wandb.note.1' }),
  ]
  expect(
    toLatestAnswers(rows, 'e/p').map(({ id, callId, scorer, value, isCorrected }) => [id, callId, scorer, value, isCorrected]),
  ).toEqual([
    ['0', 'c', 'good', true, false],
    ['3', 'c', 'tone', 'rude', true],
    ['2', 'c', 'tone', 'kind', false],
  ])
})

test.each([
  [true, 'yes'],
  [false, 'no'],
  [4.5, '4.5'],
  ['kind', 'kind'],
  [['a'], '["a"]'],
])('%j reads %s', (value, text) => {
  expect(formatAnswer(value)).toBe(text)
})
