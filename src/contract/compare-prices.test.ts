import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../testing/test-property'
import { choosePrice, comparePrices, isEffective, type PricedRecord } from './compare-prices'

const at = '2026-01-01T00:00:00Z'
const [old, recent, exact, future, distant] = [2024, 2025, 2026, 2027, 2028].map((year) => `${year}-01-01T00:00:00Z`)

const ofCatalog = (more: PricedRecord): PricedRecord => ({
  id: 'catalog:openai/m@undated',
  provider_id: 'openai',
  effective_date: recent ?? null,
  ...more,
})
const ofProject = (more: PricedRecord): PricedRecord => ofCatalog({ id: '0199', ...more })

test('a call is priced by the project’s own price, else by the catalog’s', () => {
  const [own, listed] = [ofProject({ effective_date: old }), ofCatalog({ effective_date: recent })]
  expect(choosePrice([listed, own], at)).toBe(own)
  expect(choosePrice([listed], at)).toBe(listed)
  expect(choosePrice([], at)).toBeUndefined()
})

test.each<[string, PricedRecord, PricedRecord]>([
  [
    'an effective price over a future one of the project',
    ofCatalog({ effective_date: old }),
    ofProject({ effective_date: future }),
  ],
  ['a price that is effective at the very moment', ofProject({ effective_date: exact }), ofProject({ effective_date: recent })],
  ['the project’s own over a newer one of the catalog', ofProject({ effective_date: old }), ofCatalog({ effective_date: exact })],
  ['the newest of the project', ofProject({ effective_date: recent }), ofProject({ effective_date: old })],
  ['a dated price over one without a date', ofProject({ effective_date: old }), ofProject({ effective_date: null })],
  ['the project’s own where all are future', ofProject({ effective_date: future }), ofCatalog({ effective_date: distant })],
  ['the newest where all are future', ofCatalog({ effective_date: distant }), ofCatalog({ effective_date: future })],
  [
    'of the project the newest over the maker’s',
    ofProject({ effective_date: recent, provider_id: 'azure' }),
    ofProject({ effective_date: old }),
  ],
  [
    'of the catalog the maker’s over a newer one of another provider',
    ofCatalog({ effective_date: old }),
    ofCatalog({ effective_date: recent, provider_id: 'azure' }),
  ],
  ['the maker over a reseller', ofCatalog({ provider_id: 'openai' }), ofCatalog({ provider_id: 'azure' })],
  ['the maker over another maker that resells', ofCatalog({ provider_id: 'anthropic' }), ofCatalog({ provider_id: 'google' })],
  ['the first by name among resellers', ofCatalog({ provider_id: 'avian' }), ofCatalog({ provider_id: 'openrouter' })],
  ['the correction, recorded later, of the same date', ofProject({ id: '0200' }), ofProject({ id: '0199' })],
])('prefers %s', (_, wanted, other) => {
  expect(choosePrice([wanted, other], at)).toBe(wanted)
  expect(choosePrice([other, wanted], at)).toBe(wanted)
})

test('of equal prices the provider that the call names comes first', () => {
  const [openai, azure] = [ofCatalog({}), ofCatalog({ id: 'catalog:azure/m@undated', provider_id: 'azure' })]
  expect(choosePrice([openai, azure], at, 'azure')).toBe(azure)
  expect(choosePrice([openai, azure], at, 'unknown')).toBe(openai)
})

test('a fraction of a second counts', () => {
  expect(isEffective({ effective_date: '2026-01-01T00:00:00.000001Z' }, at)).toBe(false)
  expect(isEffective({ effective_date: at }, '2026-01-01T00:00:00.000001Z')).toBe(true)
  expect(isEffective({}, at)).toBe(true)
})

const record = fc.record({
  id: fc.integer({ min: 0, max: 9 }).chain((id) => fc.constantFrom(String(id), `catalog:${id}`)),
  provider_id: fc.constantFrom(null, 'azure', 'openai', 'google', 'é', 'z'),
  effective_date: fc.constantFrom(null, old, recent, exact, '2026-01-01T00:00:00.000001Z', future),
})
const provider = fc.constantFrom(undefined, 'azure', 'openai', 'z')

testProperty(
  'records with different ids have a total order',
  fc.tuple(fc.uniqueArray(record, { selector: ({ id }) => id, minLength: 3, maxLength: 3 }), provider),
  { runs: 1000 },
  ([[a, b, c], named]) => {
    if (!a || !b || !c) throw new Error('three records')
    const compare = (left: PricedRecord, right: PricedRecord) => Math.sign(comparePrices(left, right, at, named))
    expect(compare(a, a)).toBe(0)
    expect(compare(a, b)).not.toBe(0)
    expect(compare(b, a)).toBe(-compare(a, b))
    if (compare(a, b) < 0 && compare(b, c) < 0) expect(compare(a, c)).toBe(-1)
  },
)

testProperty(
  'the order of the records does not matter',
  fc.tuple(fc.uniqueArray(record, { selector: ({ id }) => id, minLength: 1 }), provider, fc.nat(20)),
  { runs: 500 },
  ([records, named, shift]) => {
    const turned = [...records.slice(shift % records.length), ...records.slice(0, shift % records.length)].toReversed()
    expect(choosePrice(turned, at, named)).toBe(choosePrice(records, at, named))
    expect(choosePrice(records, at, named)).toBe(records.toSorted((left, right) => comparePrices(left, right, at, named))[0])
  },
)
