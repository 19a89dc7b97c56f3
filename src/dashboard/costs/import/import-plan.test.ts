import { expect, test } from 'vitest'
import type { ReceivedCost } from '../../../contract/received-costs'
import { listMissing, planImport } from './import-plan'

const now = Date.UTC(2026, 5, 1)
const from = new Date(now).toISOString()
const values = { prompt_token_cost: 0.000001, completion_token_cost: 0.000002 }

function stored(change: Partial<ReceivedCost>): ReceivedCost {
  return {
    id: 'a',
    llm_id: 'm',
    provider_id: 'default',
    ...values,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: '2026-01-01T00:00:00Z',
    cache_read_input_token_cost: null,
    cache_creation_input_token_cost: null,
    ...change,
  }
}
const kinds = (records: ReceivedCost[], cost: object = {}) => {
  const plan = planImport([{ llmId: 'm', cost: { ...values, ...cost } }], records, now)
  return Object.entries(plan).flatMap(([kind, { length }]) => (length > 0 ? [kind] : []))
}

test('a price is new, changes another, or is there already', () => {
  expect(kinds([])).toEqual(['added'])
  expect(kinds([stored({ prompt_token_cost: 9 })])).toEqual(['changed'])
  expect(kinds([stored({})])).toEqual(['same'])
})

test('the catalog’s price is what an imported one changes, never what it repeats', () => {
  expect(kinds([stored({ id: 'catalog:m' })])).toEqual(['changed'])
})

test('of two records of one date the later counts', () => {
  expect(
    kinds([stored({ id: 'b', prompt_token_cost: 9 }), stored({ id: 'a' })], { effective_date: '2026-01-01T00:00:00Z' }),
  ).toEqual(['same'])
  const [changed] = planImport(
    [{ llmId: 'm', cost: { ...values, prompt_token_cost: 3 } }],
    [stored({ id: 'b', prompt_token_cost: 9 }), stored({ id: 'a' })],
    now,
  ).changed
  expect(changed?.before?.id).toBe('b')
})

test('after it is sent, the same file adds nothing, also where the server’s clock is ahead', () => {
  const plan = planImport([{ llmId: 'm', cost: values }], [], now)
  expect(listMissing(plan, from)).toEqual([{ llmId: 'm', cost: { ...values, effective_date: from } }])
  expect(kinds([stored({ effective_date: from })])).toEqual(['same'])
  expect(kinds([stored({ effective_date: new Date(now + 60_000).toISOString() })])).toEqual(['same'])
})
