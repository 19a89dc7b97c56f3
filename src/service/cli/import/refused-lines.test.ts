import { expect, test } from 'vitest'
import { RefusedLines } from './refused-lines'
import { Terminal } from './terminal'

function create() {
  const output = { terminal: '', report: '' }
  const terminal = new Terminal({ write: (text) => (output.terminal += text) })
  const report = { appendFile: async (text: unknown) => void (output.report += String(text)) }
  return { output, refused: new RefusedLines('calls.jsonl', terminal, report) }
}

test('prints refused lines and writes them to the report', async () => {
  const { output, refused } = create()
  await refused.add([{ line: 7, msg: 'The line is not valid JSON.' }])
  expect(output).toEqual({
    terminal: 'calls.jsonl:7: The line is not valid JSON.\n',
    report: '{"file":"calls.jsonl","line":7,"msg":"The line is not valid JSON."}\n',
  })
})

test('prints at most twenty lines and 500 characters of each; the report has all of them', async () => {
  const { output, refused } = create()
  const problems = Array.from({ length: 15 }, (_, index) => ({ line: index + 1, msg: 'x'.repeat(10_000) }))
  await refused.add(problems)
  await refused.add(problems)
  expect(refused.count).toBe(30)
  expect(output.terminal.trim().split('\n')).toHaveLength(20)
  expect(output.terminal.split('\n')[0]).toBe(`calls.jsonl:1: ${'x'.repeat(500)}…`)
  expect(output.report.trim().split('\n')).toHaveLength(30)
  expect(output.report.length).toBeGreaterThan(300_000)
})
