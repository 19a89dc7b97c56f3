import { expect, test } from 'vitest'
import type { ScorerResult } from '../../../contract/queue-results'
import { describeAgreement } from './describe-agreement'

const result: ScorerResult = {
  name: 'tone',
  kind: 'category',
  versions: [],
  answer_count: 20,
  item_count: 10,
  values: [
    { value: 'kind', count: 12 },
    { value: 'rude', count: 8 },
  ],
  mean: null,
  median: null,
  min: null,
  max: null,
  annotators: ['ann', 'bob'].map((annotator) => ({ annotator, answer_count: 10, values: [], mean: null })),
  agreement: {
    item_count: 10,
    percent: 90,
    cohens_kappa: 0.7826,
    krippendorffs_alpha: { nominal: 0.7919, ordinal: null, interval: null },
  },
}
const figures = (change: Partial<ScorerResult> = {}) =>
  describeAgreement({ ...result, ...change }).map(({ name, value, reason }) => [name, value ?? reason])

test('agreement has a share, and figures that take out chance', () => {
  expect(figures()).toEqual([
    ['Equal answers', '90.0 %'],
    ["Cohen's kappa", '0.783'],
    ["Krippendorff's alpha", '0.792'],
  ])
  for (const { meaning, source } of describeAgreement(result)) expect([meaning, source]).not.toContain('')
})

test('too few items give no figure, least of all 100 %', () => {
  const agreement = {
    item_count: 1,
    percent: 100,
    cohens_kappa: null,
    krippendorffs_alpha: { nominal: null, ordinal: null, interval: null },
  }
  expect(figures({ agreement })[0]).toEqual([
    'Equal answers',
    'Not enough: 1 item has answers of two people, and it takes 5 such items.',
  ])
  expect(figures({ agreement: null })[2]).toEqual([
    "Krippendorff's alpha",
    'Not enough: no item has answers of two people, and it takes 5 such items.',
  ])
})

test('a figure that is not defined says why', () => {
  const undefinedFigures = { nominal: null, ordinal: null, interval: null }
  const agreement = { item_count: 10, percent: 100, cohens_kappa: null, krippendorffs_alpha: undefinedFigures }
  expect(figures({ agreement, values: [{ value: 'kind', count: 20 }] })).toEqual([
    ['Equal answers', '100.0 %'],
    ["Cohen's kappa", 'Not defined: both always gave the same answer.'],
    ["Krippendorff's alpha", 'Not defined: all answers are the same.'],
  ])
  const three = ['a', 'b', 'c'].map((annotator) => ({ annotator, answer_count: 1, values: [], mean: null }))
  expect(figures({ annotators: three, agreement })[1]?.[1]).toBe('Only for two people; 3 answered.')
})

test('numbers are compared by order and distance too, texts not at all', () => {
  expect(figures({ kind: 'number' }).map(([name]) => name)).toHaveLength(5)
  expect(figures({ kind: 'text' })).toEqual([])
})
