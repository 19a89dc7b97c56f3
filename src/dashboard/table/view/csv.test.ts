import { expect, test } from 'vitest'
import type { Column } from '../column'
import { formatCsvField } from './csv'
import { formatRows } from './export-rows'

test.each([
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =HYPERLINK("x")', `"' =HYPERLINK(""x"")"`],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['gpt-4o', 'gpt-4o'],
  [-2, '-2'],
  [2.5e-7, '2.5e-7'],
  [null, ''],
  ['', ''],
] as const)('%j is written as %j', (value, text) => {
  expect(formatCsvField(value)).toBe(text)
})

type Row = { id: string; cost: number | null }
const columns: Column<Row, undefined>[] = [
  { id: 'id', label: 'Model', width: 1, cell: () => null, exportValue: (row) => row.id },
  { id: 'cost', label: 'Price', width: 1, cell: () => null, exportValue: (row) => row.cost, exportUnit: 'per token' },
]
const batches: Row[][] = [[{ id: 'a', cost: 1e-7 }], [], [{ id: '=b', cost: null }]]

async function written(format: 'CSV' | 'JSON' | 'NDJSON', from = batches) {
  let text = ''
  for await (const part of formatRows({ format, columns, display: undefined, batches: from })) text += part.text
  return text
}

test('CSV has the units in its head', async () => {
  expect(await written('CSV')).toBe("Model,Price (per token)\r\na,1e-7\r\n'=b,\r\n")
})

test('every row has the context of the export, and what is only drawn is left out', async () => {
  const drawn = { id: 'trend', label: 'Trend', width: 1, cell: () => null }
  const toText = async (format: 'CSV' | 'NDJSON') => {
    let text = ''
    const context = { from: null, time_zone: 'Europe/Berlin' }
    const options = { format, columns: [...columns, drawn], context, display: undefined, batches }
    for await (const part of formatRows(options)) text += part.text
    return text.split(/\r?\n/)
  }
  expect((await toText('CSV')).slice(0, 2)).toEqual(['Model,Price (per token),from,time_zone', 'a,1e-7,,Europe/Berlin'])
  expect((await toText('NDJSON'))[0]).toBe('{"id":"a","cost":1e-7,"from":null,"time_zone":"Europe/Berlin"}')
})

test('JSON is one value over all batches, with units and zone', async () => {
  expect(JSON.parse(await written('JSON'))).toEqual({
    zone: 'UTC',
    columns: [
      { id: 'id', label: 'Model', unit: null },
      { id: 'cost', label: 'Price', unit: 'per token' },
    ],
    rows: [
      { id: 'a', cost: 1e-7 },
      { id: '=b', cost: null },
    ],
  })
  expect(JSON.parse(await written('JSON', []))).toMatchObject({ rows: [] })
})

test('NDJSON is one row a line', async () => {
  expect(await written('NDJSON')).toBe('{"id":"a","cost":1e-7}\n{"id":"=b","cost":null}\n')
})
