import { expect, test } from 'vitest'
import { cohensKappa, intervalAlpha, nominalAlpha, ordinalAlpha, percentAgreement, type Unit } from './agreement'

/** One unit for each list: the values of different people for one item. */
const toUnits = <Value>(items: readonly (readonly Value[])[]): Unit<Value>[] => items.map((values) => ({ values, count: 1 }))

test('agreement is computed from what several people answered for each item', () => {
  const units = toUnits([['good', 'good'], ['good', 'bad'], ['bad', 'bad'], ['bad']])
  expect(percentAgreement(units)).toBeCloseTo(66.667, 3)
  expect(nominalAlpha(units)).toBeCloseTo(0.4444, 4)
  // Ten items with the same answers count as ten.
  expect(percentAgreement([{ values: ['good', 'good'], count: 9 }, ...toUnits([['good', 'bad']])])).toBeCloseTo(90, 9)
})

test("Krippendorff's own example: four observers, twelve units, missing values", () => {
  // K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C and D: 0.743, 0.815 and 0.849.
  const observers = ['1 2 3 3 2 1 4 1 2 . . .', '1 2 3 3 2 2 4 1 2 5 . 3', '. 3 3 3 2 3 4 2 2 5 1 .', '1 2 3 3 2 4 4 1 2 5 1 .']
  const rows = observers.map((row) => row.split(' '))
  const items = Array.from({ length: 12 }, (_, unit) => rows.map((row) => row[unit] ?? '.').filter((value) => value !== '.'))
  const numbers = items.map((values) => values.map(Number))
  expect(nominalAlpha(toUnits(items))).toBeCloseTo(0.743, 3)
  expect(ordinalAlpha(toUnits(numbers))).toBeCloseTo(0.815, 3)
  expect(intervalAlpha(toUnits(numbers))).toBeCloseTo(0.849, 3)
})

test("the example of Wikipedia's article on Krippendorff's alpha: three coders, 0.691 and 0.811", () => {
  // https://en.wikipedia.org/wiki/Krippendorff%27s_alpha#A_computational_example
  const coders = ['. . . . . 3 4 1 2 1 1 3 3 . 3', '1 . 2 1 3 3 4 3 . . . . . . .', '. . 2 1 3 4 4 . 2 1 1 3 3 . 4']
  const rows = coders.map((row) => row.split(' '))
  const items = Array.from({ length: 15 }, (_, unit) =>
    rows
      .map((row) => row[unit] ?? '.')
      .filter((value) => value !== '.')
      .map(Number),
  )
  expect(nominalAlpha(toUnits(items))).toBeCloseTo(0.691, 3)
  expect(intervalAlpha(toUnits(items))).toBeCloseTo(0.811, 3)
})

test("Cohen's kappa of the grant proposals and of the psychiatric diagnoses", () => {
  // https://en.wikipedia.org/wiki/Cohen%27s_kappa#Simple_example: 20 yes by both, 15 no by both, 0.4.
  const grants = [
    { values: ['yes', 'yes'], count: 20 },
    { values: ['yes', 'no'], count: 5 },
    { values: ['no', 'yes'], count: 10 },
    { values: ['no', 'no'], count: 15 },
  ]
  expect(cohensKappa(grants)).toBeCloseTo(0.4, 10)
  expect(percentAgreement(grants)).toBeCloseTo(70, 10)
  // J. L. Fleiss, "Statistical Methods for Rates and Proportions", second edition (1981), table 13.1: 0.68.
  const counts = [
    [75, 1, 4],
    [5, 4, 1],
    [0, 0, 10],
  ]
  const diagnoses = counts.flatMap((row, first) => row.map((count, second) => ({ values: [first, second], count })))
  expect(cohensKappa(diagnoses)).toBeCloseTo(0.23 / 0.34, 10)
})

test('what is not defined is null: no item with two answers, or only one value', () => {
  for (const units of [[], toUnits([[1]]), toUnits([[1], [2]])]) {
    expect([percentAgreement(units), nominalAlpha(units), intervalAlpha(units), ordinalAlpha(units)]).toEqual([
      null,
      null,
      null,
      null,
    ])
  }
  const same = toUnits([
    [5, 5],
    [5, 5],
  ])
  expect([cohensKappa([]), cohensKappa(same), nominalAlpha(same), intervalAlpha(same), percentAgreement(same)]).toEqual([
    null,
    null,
    null,
    null,
    100,
  ])
})

test('alpha by its definition over all pairs of values agrees, for any answers', () => {
  const random = createRandom(7)
  for (let round = 0; round < 50; round += 1) {
    const items = Array.from({ length: 12 }, () => Array.from({ length: 1 + random(5) }, () => random(4)))
    expect(intervalAlpha(toUnits(items)) ?? 0).toBeCloseTo(
      alphaByDefinition(items, (left, right) => (left - right) ** 2),
      9,
    )
    expect(nominalAlpha(toUnits(items)) ?? 0).toBeCloseTo(
      alphaByDefinition(items, (left, right) => (left === right ? 0 : 1)),
      9,
    )
  }
})

/** Reference model: the disagreement within items over that of all values with each other. */
function alphaByDefinition(items: readonly (readonly number[])[], difference: (left: number, right: number) => number): number {
  const paired = items.filter((values) => values.length > 1)
  const all = paired.flat()
  const sumPairs = (values: readonly number[]) =>
    values.flatMap((left) => values.map((right) => difference(left, right))).reduce((sum, each) => sum + each, 0)
  const observed = paired.reduce((sum, values) => sum + sumPairs(values) / (values.length - 1), 0) / all.length
  const expected = sumPairs(all) / (all.length * (all.length - 1))
  return expected === 0 ? 0 : 1 - observed / expected
}

/** A small generator with a seed: numbers from 0 to below `max`. */
function createRandom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * max)
  }
}
