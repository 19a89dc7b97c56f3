import { expect, test } from 'vitest'
import { ReceivedCost } from '../../contract/received-costs'
import { maxRowsRead, parseRows } from './parse-rows'

test('an unreadable row is reported with its number and hides no other', async () => {
  const { rows, brokenLines } = await parseRows(
    ReceivedCost,
    [{ llm_id: 'a' }, { effective_date: 'yesterday' }, { llm_id: 'b' }],
    101,
  )
  expect(rows.map(({ llm_id }) => llm_id)).toEqual(['a', 'b'])
  expect(brokenLines).toEqual([
    { line: 102, text: '{"effective_date":"yesterday"}', reason: "effective_date: Unreadable time 'yesterday'." },
  ])
})

test('of more rows than a page can hold the first ones are read, and the result says so', async () => {
  const { rows, isTruncated } = await parseRows(
    ReceivedCost,
    Array.from({ length: maxRowsRead + 1 }, () => ({ llm_id: 'a' })),
  )
  expect({ count: rows.length, isTruncated }).toEqual({ count: maxRowsRead, isTruncated: true })
})
