import { expect, test } from 'vitest'
import { ReceivedCost } from '../../contract/received-costs'
import { parseRows } from './parse-rows'

test('an unreadable row is reported with its number and hides no other', () => {
  const { rows, brokenLines } = parseRows(ReceivedCost, [{ llm_id: 'a' }, { effective_date: 'yesterday' }, { llm_id: 'b' }], 101)
  expect(rows.map(({ llm_id }) => llm_id)).toEqual(['a', 'b'])
  expect(brokenLines).toEqual([
    { line: 102, text: '{"effective_date":"yesterday"}', reason: "effective_date: Unreadable time 'yesterday'." },
  ])
})
