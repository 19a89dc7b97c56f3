import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProblemReport } from './problem-report'
import { Screen } from './screen'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-report-'))
  path = join(folder, 'problems.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const silent = new Screen({ write: () => true })
const lineOf = (line: number, msg: string) => `${JSON.stringify({ file: 'f', line, msg })}\n`

test('what was written after the last checkpoint is not there twice', async () => {
  const kept = lineOf(1, 'kept')
  writeFileSync(path, `${kept}${lineOf(2, 'written before the process was killed')}`)
  const report = await ProblemReport.open(path, 'f', silent, kept.length)
  await report.add([{ line: 2, msg: 'short' }])
  expect(report.bytes).toBe(statSync(path).size)
  await report.close()
  expect(readFileSync(path, 'utf8')).toBe(`${kept}${lineOf(2, 'short')}`)
})

test('a report of an import that begins anew goes, and none is made without problems', async () => {
  writeFileSync(path, lineOf(1, 'of before'))
  const report = await ProblemReport.open(path, 'f', silent, 0)
  await report.add([])
  await report.close()
  expect(existsSync(path)).toBe(false)
})

test('it is for its owner’s eyes only, and no message is longer than anyone reads', async () => {
  const report = await ProblemReport.open(path, 'f', silent, 0)
  await report.add([{ line: 1, msg: 'x'.repeat(10_000) }])
  await report.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toBe(lineOf(1, `${'x'.repeat(500)}…`))
})
