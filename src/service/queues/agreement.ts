/** What several people answered for one item, each value once per person. `count`: so many items have these answers. */
export type Unit<Value> = { values: readonly Value[]; count: number }

/**
 * The share of pairs of answers to one item that are equal, averaged over the items, in percent: the observed agreement of
 * J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971), 378-382. Null without
 * an item with two answers.
 */
export function percentAgreement(units: readonly Unit<unknown>[]): number | null {
  let [itemCount, agreement] = [0, 0]
  for (const { values, count } of comparable(units)) {
    const equalPairs = [...countValues(values).values()].reduce((total, each) => total + each * (each - 1), 0)
    agreement += (count * equalPairs) / (values.length * (values.length - 1))
    itemCount += count
  }
  return itemCount === 0 ? null : (100 * agreement) / itemCount
}

/**
 * Agreement of two people beyond chance: J. Cohen, "A coefficient of agreement for nominal scales", Educational and
 * Psychological Measurement 20 (1960), 37-46. The values of a unit are those of the first and of the second person. Null where
 * it is not defined: without items, and where both always gave one and the same value.
 */
export function cohensKappa(units: readonly Unit<unknown>[]): number | null {
  const [firsts, seconds] = [new Map<unknown, number>(), new Map<unknown, number>()]
  let [itemCount, equalCount] = [0, 0]
  for (const { values, count } of units) {
    const [first, second] = values
    add(firsts, first, count)
    add(seconds, second, count)
    itemCount += count
    if (first === second) equalCount += count
  }
  let byChance = 0
  for (const [value, count] of firsts) byChance += count * (seconds.get(value) ?? 0)
  const expected = byChance / itemCount ** 2
  return itemCount === 0 || expected === 1 ? null : (equalCount / itemCount - expected) / (1 - expected)
}

/**
 * Agreement of any number of people, of whom some may have answered for some items only: K. Krippendorff, "Computing
 * Krippendorff's Alpha-Reliability" (2011), https://repository.upenn.edu/asc_papers/43, section D: 1 - observed / expected
 * disagreement, with values that are equal or not. Null where it is not defined, because all values are equal.
 */
export function nominalAlpha(units: readonly Unit<unknown>[]): number | null {
  const pairable = comparable(units)
  const totals = countAll(pairable)
  const valueCount = addUp(totals.values())
  let observed = 0
  for (const { values, count } of pairable) {
    const differingPairs = addUp([...countValues(values).values()].map((each) => each * (values.length - each)))
    observed += (count * differingPairs) / (values.length - 1)
  }
  const expected = addUp([...totals.values()].map((each) => each * (valueCount - each))) / (valueCount - 1)
  return toAlpha(observed, expected)
}

/** The same for numbers whose differences count: the disagreement of two values is the square of their difference. */
export function intervalAlpha(units: readonly Unit<number>[]): number | null {
  const pairable = comparable(units)
  const totals = countAll(pairable)
  const valueCount = addUp(totals.values())
  const mean = addUp([...totals].map(([value, count]) => value * count)) / valueCount
  let observed = 0
  for (const { values, count } of pairable) observed += (count * sumOfSquares(values)) / (values.length - 1)
  // The sum over all pairs of values is 2n times the sum of squares about the mean.
  const expected = (2 * valueCount * addUp([...totals].map(([value, count]) => count * (value - mean) ** 2))) / (valueCount - 1)
  return toAlpha(observed, expected)
}

/**
 * The same for numbers of which only the order counts. Krippendorff's ordinal difference of two values, the number of values
 * from one to the other with half of both ends, is the difference of their middle ranks.
 */
export function ordinalAlpha(units: readonly Unit<number>[]): number | null {
  const pairable = comparable(units)
  const rankByValue = new Map<number, number>()
  let lowerCount = 0
  for (const [value, count] of [...countAll(pairable)].toSorted(([left], [right]) => left - right)) {
    rankByValue.set(value, lowerCount + count / 2)
    lowerCount += count
  }
  return intervalAlpha(pairable.map(({ values, count }) => ({ values: values.map((each) => rankByValue.get(each) ?? 0), count })))
}

function toAlpha(observed: number, expected: number): number | null {
  return expected > 0 ? 1 - observed / expected : null
}

/** An answer that nobody else gave one beside says nothing about agreement. */
function comparable<Value>(units: readonly Unit<Value>[]): readonly Unit<Value>[] {
  return units.filter(({ values }) => values.length >= 2)
}

function countAll<Value>(units: readonly Unit<Value>[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const { values, count } of units) for (const value of values) add(counts, value, count)
  return counts
}

function countValues(values: readonly unknown[]): Map<unknown, number> {
  return countAll([{ values, count: 1 }])
}

function add<Value>(counts: Map<Value, number>, value: Value, count: number): void {
  counts.set(value, (counts.get(value) ?? 0) + count)
}

/** Of the differences of all ordered pairs. */
function sumOfSquares(values: readonly number[]): number {
  return addUp(values.flatMap((left) => values.map((right) => (left - right) ** 2)))
}

function addUp(numbers: Iterable<number>): number {
  let total = 0
  for (const each of numbers) total += each
  return total
}
