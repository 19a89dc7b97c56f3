import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareText } from '../../contract/compare-text'
import { parseTimeLiteral, type Literal, type Operand, type Operation } from '../../contract/expression'
import { openTestApp, type TestApp } from '../testing/test-app'
import { testProperty } from '../../testing/test-property'
import { compileExpression } from './compile-expression'
import { identifier, renderSql, sql } from './sql'
import { toStoredCost } from '../pricing/stored-cost'

const field = (name: string): Operand => ({ $getField: name })
const literal = (value: Literal): Operand => ({ $literal: value })

function compiled(operation: Operation) {
  return renderSql(
    compileExpression({ $expr: operation }, (name) => {
      const [column = '', key] = name.split('.')
      if (key === undefined) return { type: 'string', sql: identifier(column) }
      return { type: 'json', sql: sql`JSONExtractRaw(${identifier(column)}, ${key})` }
    }),
  )
}

test('a query of the wire becomes a condition of SQL with bound values', () => {
  expect(
    compiled({ $and: [{ $eq: [field('llm_id'), literal('gpt')] }, { $not: [{ $eq: [field('id'), literal(null)] }] }] }),
  ).toEqual({
    text: '((llm_id = {p1:String}) AND (NOT isNull(id)))',
    params: { p1: 'gpt' },
  })
})

type Row = { id: string; llm_id: string; prompt_token_cost: number | null; effective_date: string }

const texts = [
  '',
  'gpt',
  'GPT',
  'é',
  'É',
  'z',
  '😀',
  '￿',
  'a%_b',
  "it's",
  'back\\slash',
  'tab\tand\nline',
  '25',
  ' 25',
  '2.7',
  '-1e3',
  '.5',
  'true',
  'False',
  '0',
  'null',
  '{p1:String}',
]
const numbers = [null, 0, 1, 25, 2.7, -2.7, 0.0000025, 1e300, -0.5]
const times = [
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999999Z',
  '2026-01-31T09:30:00.000001Z',
  '2026-01-31T09:30:00Z',
  '2298-12-31T00:00:00Z',
]

const rows: Row[] = texts.flatMap((llm_id, index) =>
  [0, 1].map((half) => ({
    id: `row-${index}-${half}`,
    llm_id,
    prompt_token_cost: numbers[(index + half * 3) % numbers.length] ?? null,
    effective_date: times[(index + half) % times.length] ?? '',
  })),
)

let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  const common = {
    project_id: 'a/b',
    provider_id: 'p',
    completion_token_cost: 1,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    created_by: '',
  }
  await service.store.insert(
    'costs',
    rows.map(({ id, llm_id, prompt_token_cost, effective_date }) =>
      toStoredCost({ ...common, id, llm_id, prompt_token_cost, effectiveDate: effective_date }, 0),
    ),
  )
})
afterAll(() => service.close())

async function findIds(operation: Operation): Promise<string[]> {
  const response = await service.post('/cost/query', { project_id: 'a/b', fields: ['id'], query: { $expr: operation } })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const { results }: { results: { id: string }[] } = JSON.parse(text)
  return results.map(({ id }) => id).toSorted()
}

test.each<[string, Operation, number]>([
  ['a true literal: every row', { $and: [literal('string')] }, rows.length],
  ['a null literal: no row', { $and: [literal(null)] }, 0],
  ['$in with an empty list: no row', { $in: [field('llm_id'), []] }, 0],
  ['not $in with an empty list: every row', { $not: [{ $in: [field('llm_id'), []] }] }, rows.length],
  [
    'equals null',
    { $eq: [field('prompt_token_cost'), literal(null)] },
    rows.filter((row) => row.prompt_token_cost === null).length,
  ],
  [
    'does not equal null',
    { $not: [{ $eq: [literal(null), field('prompt_token_cost')] }] },
    rows.filter((row) => row.prompt_token_cost !== null).length,
  ],
  ['another comparison with null: no row', { $gte: [field('llm_id'), literal(null)] }, 0],
  ['the negation of a comparison with null: no row', { $not: [{ $gte: [field('llm_id'), literal(null)] }] }, 0],
  ['a number as text', { $eq: [{ $convert: { input: literal(25), to: 'string' } }, literal('25')] }, rows.length],
  ['a number as int, without its fraction', { $eq: [{ $convert: { input: literal(2.7), to: 'int' } }, literal(2)] }, rows.length],
  [
    'a time as text',
    { $eq: [{ $convert: { input: field('effective_date'), to: 'string' } }, literal('2026-01-31T09:30:00.000001Z')] },
    rows.filter((row) => row.effective_date.includes('000001')).length,
  ],
  ['$contains reads a percent sign literally', { $contains: { input: field('llm_id'), substr: literal('%') } }, 2],
  ['$contains with empty text: every row', { $contains: { input: field('llm_id'), substr: literal('') } }, rows.length],
  ['$contains tells upper case from lower case', { $contains: { input: field('llm_id'), substr: literal('É') } }, 2],
  [
    '$contains ignores case on request',
    { $contains: { input: field('llm_id'), substr: literal('É'), case_insensitive: true } },
    4,
  ],
])('%s', async (_, operation, count) => {
  expect(await findIds(operation)).toHaveLength(count)
})

test('no literal enters the text of the statement', () => {
  const hostile = "x' OR 1=1 -- {p1:String} ` \\"
  const { text, params } = compiled({
    $or: [{ $eq: [field('llm_id'), literal(hostile)] }, { $in: [field('llm_id'), [literal(hostile), literal(7.5)]] }],
  })
  expect(text).not.toContain('OR 1=1')
  expect(text).not.toContain('7.5')
  expect(Object.values(params)).toEqual([hostile, '7.5'])
})

test('literals of one type are bound as one list, however many there are', () => {
  const many = (toValue: (index: number) => Literal) => Array.from({ length: 990 }, (_, index) => literal(toValue(index)))
  const lengthOf = ($in: [Operand, Operand[]]) => compiled({ $in }).text.length
  expect(lengthOf([field('llm_id'), many((index) => `model ${index}`)])).toBeLessThan(100)
  expect(lengthOf([field('payload.a'), [...many((index) => `text ${index}`), ...many((index) => index)]])).toBeLessThan(1000)
  expect(lengthOf([field('payload.a'), many((index) => String(index))])).toBeLessThan(1500)
})

test('conditions that become too much SQL are refused, not sent', () => {
  const conditions = Array.from({ length: 330 }, (_, index) => ({
    $eq: [field(`payload.a${index}`), literal(`${index}`)] as [Operand, Operand],
  }))
  expect(() => compiled({ $and: conditions })).toThrow(expect.objectContaining({ kind: 'too_complex' }))
})

test('depth does not multiply the size of the statement', async () => {
  let operand: Operand = { $eq: [field('llm_id'), literal('gpt')] }
  for (let depth = 0; depth < 14; depth += 1) {
    operand = { $in: [{ $convert: { input: operand, to: 'string' } }, [literal('true'), literal('x')]] }
  }
  const operation: Operation = { $and: [operand] }
  expect(compiled(operation).text.length).toBeLessThan(4000)
  expect(await findIds(operation)).toHaveLength(2)
})

test('a field of JSON is read as the type of the value it is compared with', () => {
  expect(compiled({ $gt: [field('payload.a'), literal(1)] })).toEqual({
    text: expect.stringContaining('toFloat64OrNull(extract(JSONExtractRaw(payload, {p1:String})'),
    params: { p1: 'a', p2: '1' },
  })
  expect(compiled({ $eq: [field('payload.a'), literal('x')] })).toEqual({
    text: expect.stringContaining('JSONExtractString(JSONExtractRaw(payload, {p1:String}))'),
    params: { p1: 'a', p2: 'x' },
  })
})

// The reference model: evaluates a condition for one row in plain TypeScript.

type Value = string | number | boolean | bigint | null

function truth(operand: Operand, row: Row): boolean | null {
  if ('$literal' in operand) return Boolean(operand.$literal)
  return evaluate(operand, row) as boolean | null // the generator below puts conditions here
}

function evaluate(operand: Operand, row: Row): Value {
  if ('$literal' in operand) return operand.$literal
  if ('$getField' in operand) {
    if (operand.$getField === 'effective_date') return microseconds(row.effective_date)
    return operand.$getField === 'llm_id' ? row.llm_id : row.prompt_token_cost
  }
  if ('$convert' in operand) return convert(evaluate(operand.$convert.input, row), operand.$convert.to)
  if ('$and' in operand) return all(operand.$and.map((each) => truth(each, row)))
  if ('$or' in operand) return not(all(operand.$or.map((each) => not(truth(each, row)))))
  if ('$not' in operand) return not(truth(operand.$not[0], row))
  if ('$in' in operand) {
    const [left, items] = operand.$in
    return not(all(items.map((item) => not(isNull(item) ? null : compare('$eq', left, item, row)))))
  }
  if ('$contains' in operand) {
    const { input, substr, case_insensitive: ignoresCase } = operand.$contains
    const [a, b] = [evaluate(input, row), evaluate(substr, row)]
    if (typeof a !== 'string' || typeof b !== 'string') return null
    return ignoresCase ? a.toLowerCase().includes(b.toLowerCase()) : a.includes(b)
  }
  if ('$eq' in operand) return compare('$eq', ...operand.$eq, row)
  if ('$gt' in operand) return compare('$gt', ...operand.$gt, row)
  if ('$gte' in operand) return compare('$gte', ...operand.$gte, row)
  if ('$lt' in operand) return compare('$lt', ...operand.$lt, row)
  return compare('$lte', ...operand.$lte, row)
}

function compare(operator: string, left: Operand, right: Operand, row: Row): boolean | null {
  if (operator === '$eq' && (isNull(left) || isNull(right))) return evaluate(isNull(left) ? right : left, row) === null
  const [a, b] = [evaluateBeside(left, right, row), evaluateBeside(right, left, row)]
  if (a === null || b === null) return null
  const order = typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : a < b ? -1 : a > b ? 1 : 0
  return { $eq: order === 0, $gt: order > 0, $gte: order >= 0, $lt: order < 0, $lte: order <= 0 }[operator] ?? null
}

function evaluateBeside(operand: Operand, other: Operand, row: Row): Value {
  const isTime = '$getField' in other && other.$getField === 'effective_date'
  return isTime && '$literal' in operand && operand.$literal !== null ? microseconds(operand.$literal) : evaluate(operand, row)
}

function convert(value: Value, to: string): Value {
  if (to === 'exists') return value !== null
  if (value === null) return null
  if (to === 'string') return String(value)
  const isNumber = typeof value !== 'string' || /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value)
  if (to === 'double') return isNumber ? Number(value) : null
  if (to === 'int') return isNumber ? Math.trunc(Number(value)) : null
  if (typeof value !== 'string') return Number(value) !== 0
  return ({ true: true, '1': true, false: false, '0': false } as Record<string, boolean>)[value.toLowerCase()] ?? null // text to its meaning
}

const all = (values: (boolean | null)[]) => (values.includes(false) ? false : values.includes(null) ? null : true)
const not = (value: boolean | null) => (value === null ? null : !value)
const isNull = (operand: Operand) => '$literal' in operand && operand.$literal === null
function microseconds(time: Literal): bigint {
  const instant = parseTimeLiteral(time)
  if (typeof instant === 'string') throw new Error(instant)
  return instant
}

const { condition } = fc.letrec<{ condition: Operation; truthy: Operand; text: Operand; number: Operand }>((tie) => {
  const sameType = fc
    .oneof(
      fc.tuple(tie('text'), tie('text')),
      fc.tuple(tie('number'), tie('number')),
      fc.tuple(tie('condition'), fc.oneof(tie('condition'), fc.boolean().map(literal))),
      fc.tuple(
        fc.constant<Operand>({ $getField: 'effective_date' }),
        fc.constantFrom(...times, 0, 1769851800, 1769851800.000001, 1e300, -1e300).map(literal),
      ),
      fc.tuple(fc.oneof(tie('text'), tie('number')), fc.constant(literal(null))),
    )
    .chain(([a, b]) => fc.constantFrom<[Operand, Operand]>([a, b], [b, a]))
  const to = (input: fc.Arbitrary<Operand>, ...targets: ('string' | 'double' | 'int' | 'bool' | 'exists')[]) =>
    fc
      .tuple(input, fc.constantFrom(...targets))
      .map(([operand, target]): Operand => ({ $convert: { input: operand, to: target } }))
  return {
    condition: fc.oneof(
      { depthSize: 'small' },
      sameType.map(($eq): Operation => ({ $eq })),
      sameType.map(($gt): Operation => ({ $gt })),
      sameType.map(($gte): Operation => ({ $gte })),
      sameType.map(($lt): Operation => ({ $lt })),
      sameType.map(($lte): Operation => ({ $lte })),
      fc
        .tuple(tie('text'), fc.array(fc.oneof(tie('text'), fc.constant(literal(null))), { maxLength: 3 }))
        .map(($in): Operation => ({ $in })),
      fc.tuple(tie('number'), fc.array(tie('number'), { maxLength: 3 })).map(($in): Operation => ({ $in })),
      fc
        .tuple(
          fc.constant<Operand>({ $getField: 'effective_date' }),
          fc.array(fc.constantFrom(...times, 1769851800, -1e300, null).map(literal), { maxLength: 3 }),
        )
        .map(([left, items]): Operation => ({ $in: [left, items] })),
      fc
        .record({ input: tie('text'), substr: tie('text'), case_insensitive: fc.boolean() })
        .map(($contains): Operation => ({ $contains })),
      fc.array(tie('truthy'), { minLength: 1, maxLength: 3 }).map(($and): Operation => ({ $and })),
      fc.array(tie('truthy'), { minLength: 1, maxLength: 3 }).map(($or): Operation => ({ $or })),
      tie('truthy').map((operand): Operation => ({ $not: [operand] })),
    ),
    truthy: fc.oneof(
      tie('condition'),
      fc.constantFrom(true, false, null, '', 'x', 0, 1).map(literal),
      to(tie('text'), 'bool', 'exists'),
      to(tie('number'), 'bool', 'exists'),
    ),
    text: fc.oneof(
      { depthSize: 'small' },
      fc.constant<Operand>({ $getField: 'llm_id' }),
      fc.constantFrom(...texts).map(literal),
      // Numbers are converted to text only where both sides print them the same way: whole numbers below 10^15.
      to(to(fc.constantFrom<Operand>(...[0, 25, 2.7, -0.5, -1000].map(literal), { $getField: 'llm_id' }), 'int'), 'string'),
      to(tie('condition'), 'string'),
    ),
    number: fc.oneof(
      { depthSize: 'small' },
      fc.constant<Operand>({ $getField: 'prompt_token_cost' }),
      fc.constantFrom(...numbers.filter((number) => number !== null), 5e-324, 1.7976931348623157e308).map(literal),
      to(tie('text'), 'double', 'int'),
      to(tie('condition'), 'int', 'double'),
      to(tie('number'), 'int'),
    ),
  }
})

testProperty('a condition finds the rows that the reference model finds', condition, { runs: 400 }, async (operation) => {
  const expected = rows.filter((row) => evaluate(operation, row) === true).map(({ id }) => id)
  expect(await findIds(operation)).toEqual(expected.toSorted())
})
