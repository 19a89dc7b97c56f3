import { expect, test } from 'vitest'
import { ReceivedCost } from '../../../contract/received-costs'
import { costStates } from './cost-states'
import { costsInForce } from './costs-in-force'
import { findShadowed } from './find-shadowed'

const noCost = ReceivedCost.parse({})
const asOf = '2026-06-01T12:00:00Z'
function cost(id: string, effective_date: string | null, over: Partial<ReceivedCost> = {}): ReceivedCost {
  return { ...noCost, id, llm_id: 'gpt', provider_id: 'openai', effective_date, prompt_token_cost: 1e-6, ...over }
}
const ids = (costs: ReceivedCost[]) => costs.map(({ id }) => id)

test('the newest record that has started is in force', () => {
  const records = [cost('a', '2025-01-01T00:00:00Z'), cost('b', '2026-01-01T00:00:00Z'), cost('c', '2026-07-01T00:00:00Z')]
  expect(ids(costsInForce(records, asOf))).toEqual(['b'])
  expect(Object.fromEntries(costStates(records, asOf))).toEqual({ a: 'superseded', b: 'current', c: 'scheduled' })
})

test("the project's own record wins over a newer one of the catalog, which it shadows", () => {
  const records = [
    cost('mine', '2024-01-01T00:00:00Z'),
    cost('catalog:old', '2025-01-01T00:00:00Z'),
    cost('catalog:new', '2026-01-01T00:00:00Z'),
  ]
  expect(ids(costsInForce(records, asOf))).toEqual(['mine'])
  expect(Object.fromEntries(costStates(records, asOf))).toEqual({
    mine: 'current',
    'catalog:old': 'superseded',
    'catalog:new': 'shadowed',
  })
})

test("of a model at several providers the project's newest record prices every call, and the catalog's give way to it", () => {
  const records = [
    cost('older', '2025-01-01T00:00:00Z', { provider_id: 'azure' }),
    cost('newer', '2026-01-01T00:00:00Z', { provider_id: 'default' }),
    cost('catalog:openai', '2026-03-01T00:00:00Z'),
    cost('catalog:azure', '2026-03-01T00:00:00Z', { provider_id: 'azure' }),
  ]
  expect(Object.fromEntries(costStates(records, asOf))).toEqual({
    older: 'superseded',
    newer: 'current',
    'catalog:openai': 'shadowed',
    'catalog:azure': 'shadowed',
  })
})

test('where the provider that a call names decides, the record of each provider is current', () => {
  const own = [cost('1', asOf), cost('2', asOf, { provider_id: 'azure' })]
  expect(Object.fromEntries(costStates(own, asOf))).toEqual({ 1: 'current', 2: 'current' })
  const catalog = [cost('catalog:a', '2025-01-01T00:00:00Z'), cost('catalog:b', '2026-01-01T00:00:00Z', { provider_id: 'azure' })]
  expect(Object.fromEntries(costStates(catalog, asOf))).toEqual({ 'catalog:a': 'current', 'catalog:b': 'current' })
})

test('of two records of one provider and date only the later made is current', () => {
  expect(Object.fromEntries(costStates([cost('1', asOf), cost('2', asOf)], asOf))).toEqual({ 1: 'superseded', 2: 'current' })
})

test('the only record of a model prices calls before it starts', () => {
  expect(Object.fromEntries(costStates([cost('c', '2026-07-01T00:00:00Z')], asOf))).toEqual({ c: 'early' })
})

test('an own record that has not started shadows nothing', () => {
  const records = [cost('mine', '2027-01-01T00:00:00Z'), cost('catalog:a', '2025-01-01T00:00:00Z')]
  expect(Object.fromEntries(costStates(records, asOf))).toEqual({ mine: 'scheduled', 'catalog:a': 'current' })
})

test('a start at the very moment counts, a microsecond later does not', () => {
  const records = [cost('a', asOf), cost('b', '2026-06-01T12:00:00.000001Z')]
  expect(ids(costsInForce(records, asOf))).toEqual(['a'])
})

test('of two records with one start the later made is the correction', () => {
  expect(ids(costsInForce([cost('2', asOf), cost('1', asOf)], asOf))).toEqual(['2'])
})

test('no start is since ever; another provider, or none, is another price', () => {
  const records = [
    cost('a', null),
    cost('b', '1970-01-01T00:00:00Z'),
    cost('c', null, { provider_id: null }),
    cost('d', null, { provider_id: 'azure' }),
    cost('e', '2030-01-01T00:00:00Z', { provider_id: 'late' }),
  ]
  expect(ids(costsInForce(records, asOf))).toEqual(['b', 'c', 'd'])
})

test('a price of the project shadows those of the catalog at every provider, from its date on', () => {
  const records = [
    cost('mine', '2026-05-01T00:00:00Z', { provider_id: 'default' }),
    cost('catalog:a', null),
    cost('catalog:b', null, { provider_id: 'azure' }),
    cost('catalog:c', null, { llm_id: 'other' }),
  ]
  expect([...findShadowed(records, asOf)]).toEqual(['catalog:a', 'catalog:b'])
  expect([...findShadowed(records, '2026-04-01T00:00:00Z')]).toEqual([])
})
