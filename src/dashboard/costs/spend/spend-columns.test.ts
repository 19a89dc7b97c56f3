import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { RepricedSpend, SpendGroup } from '../../../contract/spend'
import { nameOps } from '../../format/op-name'
import { listSpendColumns } from './spend-columns'
import type { SpendDisplay } from './spend-display'

const toGroup = (total: string, prompt_tokens: number): SpendGroup => ({
  call_count: 1,
  unpriced_call_count: 0,
  prompt_tokens,
  completion_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  costs: [{ currency: 'USD', prompt: total, completion: '0', cache_read: '0', cache_creation: '0', total }],
})

test('quotients are exported as decimals, and what is only drawn not at all', () => {
  const columns = listSpendColumns('model', [], { hasUnpriced: false, hasCached: false })
  const display = { total: toGroup('1733726', 1) } as SpendDisplay // only this field is read
  const find = (id: string) => columns.find((each) => each.id === id)?.exportValue
  expect(find('share')?.(toGroup('1', 1), display)).toBe('0.000000576792411258')
  expect(find('share')?.(toGroup('1733726', 1), display)).toBe('1')
  expect(find('blended')?.(toGroup('0.000549', 34), display)).toBe('16.1470588235')
  expect(find('blended')?.(toGroup('0.25', 100_000), display)).toBe('2.5')
  expect(find('trend')).toBeUndefined()
})

test('a spend is exported as a number, with its currency in a column of its own', () => {
  const columns = listSpendColumns('model', [], { hasUnpriced: false, hasCached: false })
  const display = {} as SpendDisplay // no field is read
  const read = (row: SpendGroup) =>
    ['total', 'currency'].map((id) => columns.find((each) => each.id === id)?.exportValue?.(row, display))
  const inDollars = toGroup('0.05', 1)
  expect(read(inDollars)).toEqual(['0.05', 'USD'])
  const inBoth = { ...inDollars, costs: inDollars.costs.flatMap((cost) => [cost, { ...cost, currency: 'EUR' }]) }
  expect(read(inBoth)).toEqual(['0.05 USD, 0.05 EUR', 'USD, EUR'])
  expect(read({ ...inDollars, costs: [] })).toEqual([null, null])
})

test('what calls would have cost is exported as a number where its currency is that of the row', () => {
  const columns = listSpendColumns('model', [{ llm_id: 'other' }], { hasUnpriced: false, hasCached: false })
  const read = (row: SpendGroup, ...repriced: RepricedSpend[]) => {
    const { exportValue } = columns.find(({ id }) => id === 'what_if_1') ?? {}
    return exportValue?.({ ...row, repriced }, {} as SpendDisplay) // no field of the display is read
  }
  const row = toGroup('0.05', 1)
  const other = { llm_id: 'other', provider_id: null, call_count: 1 }
  const inDollars = { ...other, currency: 'USD', total: '0.07' }
  const inEuros = { ...other, currency: 'EUR', total: '0.06' }
  expect(read(row, inDollars)).toBe('0.07')
  expect(read(row, inEuros)).toBe('0.06 EUR')
  expect(read(row, inDollars, inEuros)).toBe('0.07 USD, 0.06 EUR')
  expect(read({ ...row, costs: [] }, inDollars)).toBe('0.07 USD')
  expect(read({ ...row, costs: row.costs.flatMap((cost) => [cost, { ...cost, currency: 'EUR' }]) }, inDollars)).toBe('0.07 USD')
  expect(read(row)).toBe(null)
})

test('an op is shown by its name, with all of it in the title, and is exported whole', () => {
  const [column] = listSpendColumns('op_name', [], { hasUnpriced: false, hasCached: false })
  const op = 'weave:///acme/support/op/openai.chat.completions.create:BHB72S2JzMAnTHlE0oEyJ1xz'
  const row = { ...toGroup('1', 1), op_name: op }
  const display = { opNames: nameOps([op]), seriesIndexes: new Map() } as Partial<SpendDisplay> as SpendDisplay // only these are read
  const html = renderToStaticMarkup(column?.cell(row, display))
  expect(html).toContain(`<bdi title="${op}"`)
  expect(html).toContain('<span>openai.chat.completions.create</span>')
  expect(column?.exportValue?.(row, display)).toBe(op)
})
