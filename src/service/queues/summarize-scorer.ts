import type { FieldKind } from '../../contract/field-schema'
import type { Agreement, ScorerResult } from '../../contract/queue-results'
import { isComparable } from './read-specs'
import { cohensKappa, intervalAlpha, nominalAlpha, ordinalAlpha, percentAgreement } from './agreement'

const maxValues = 100

type ValueCount = { value: string; answer_count: number }

/** The answers for one scorer. Values are JSON; '' where they are not compared. */
export type ScorerAnswers = {
  versions: readonly { annotation_ref: string; answer_count: number }[]
  values: readonly (ValueCount & { annotator: string })[]
  /** The values for one item by the name of the person, and how many items have these. */
  units: readonly { values: readonly string[]; item_count: number }[]
}

export function summarizeScorer({ name, kind }: { name: string; kind: FieldKind }, answers: ScorerAnswers): ScorerResult {
  const { versions, values, units } = answers
  const annotators = [...new Set(values.map(({ annotator }) => annotator))].toSorted()
  const numbers = kind === 'number' ? values.map(({ value }) => Number(value)) : []
  return {
    name,
    kind,
    versions: versions.map(({ annotation_ref: ref, answer_count }) => ({ ref, answer_count })),
    answer_count: sumCounts(values),
    item_count: units.reduce((sum, unit) => sum + unit.item_count, 0),
    values: listValues(kind, values),
    mean: findMean(kind, values),
    median: findMedian(kind, values),
    min: minOf(numbers),
    max: maxOf(numbers),
    annotators: annotators.map((annotator) => {
      const own = values.filter((each) => each.annotator === annotator)
      return { annotator, answer_count: sumCounts(own), values: listValues(kind, own), mean: findMean(kind, own) }
    }),
    agreement: findAgreement(kind, units, annotators.length),
  }
}

function sumCounts(values: readonly ValueCount[]): number {
  return values.reduce((sum, each) => sum + each.answer_count, 0)
}

/** Not by spreading: there may be more numbers than a call takes arguments. */
function minOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((least, each) => Math.min(least, each))
}

function maxOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((greatest, each) => Math.max(greatest, each))
}

function listValues(kind: FieldKind, values: readonly ValueCount[]): ScorerResult['values'] {
  if (!isComparable(kind)) return []
  const countByValue = new Map<string, number>()
  for (const { value, answer_count: count } of values) countByValue.set(value, (countByValue.get(value) ?? 0) + count)
  return [...countByValue]
    .toSorted(([leftValue, left], [rightValue, right]) => right - left || (leftValue < rightValue ? -1 : 1))
    .slice(0, maxValues)
    .map(([value, count]) => ({ value: JSON.parse(value) as unknown, count }))
}

function findMean(kind: FieldKind, values: readonly ValueCount[]): number | null {
  if (kind !== 'number' || values.length === 0) return null
  return values.reduce((sum, each) => sum + Number(each.value) * each.answer_count, 0) / sumCounts(values)
}

function findMedian(kind: FieldKind, values: readonly ValueCount[]): number | null {
  if (kind !== 'number' || values.length === 0) return null
  const sorted = values.toSorted((left, right) => Number(left.value) - Number(right.value))
  const count = sumCounts(sorted)
  const at = (rank: number) => {
    let passed = 0
    return Number(sorted.find(({ answer_count: own }) => (passed += own) > rank)?.value)
  }
  return (at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2
}

function findAgreement(kind: FieldKind, rows: ScorerAnswers['units'], annotatorCount: number): Agreement | null {
  if (!isComparable(kind)) return null
  const units = rows.filter(({ values }) => values.length > 1).map(({ values, item_count: count }) => ({ values, count }))
  const percent = percentAgreement(units)
  if (percent === null) return null
  const numbers = kind === 'number' ? units.map(({ values, count }) => ({ values: values.map(Number), count })) : []
  return {
    item_count: units.reduce((sum, { count }) => sum + count, 0),
    percent,
    cohens_kappa: annotatorCount === 2 ? cohensKappa(units) : null,
    krippendorffs_alpha: { nominal: nominalAlpha(units), ordinal: ordinalAlpha(numbers), interval: intervalAlpha(numbers) },
  }
}
