import { basename } from 'node:path'
import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import { faultAnnotation } from './fault'

type Row = { area: string; line: number; name: string; outcome: string; hasPassed: boolean }

/** Prints the table of faults and outcomes after the tests, each with whether its test passed, in the order of the files. */
export default class PrintFaults implements Reporter {
  private readonly rows = new Map<string, Row>()

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const { type, description } of test.annotations) {
      if (type !== faultAnnotation || description === undefined) continue
      const [name, outcome] = JSON.parse(description) as [string, string] // written by `fault`
      // Not of `test.location`, which is where `fault` calls Playwright.
      const area = test.titlePath().find((title) => title.endsWith('.spec.ts')) ?? ''
      const line = this.rows.get(test.id)?.line ?? this.rows.size
      this.rows.set(test.id, { area: basename(area, '.spec.ts'), line, name, outcome, hasPassed: result.status === 'passed' })
    }
  }

  onEnd(): void {
    const rows = [...this.rows.values()].toSorted((a, b) => a.area.localeCompare(b.area) || a.line - b.line)
    const lines = rows.map(
      ({ area, name, outcome, hasPassed }) => `| ${hasPassed ? '✓' : '✗'} | ${area} | ${name} | ${outcome} |`,
    )
    if (lines.length === 0) return
    const failed = rows.filter(({ hasPassed }) => !hasPassed).length
    console.log(['', '| | area | fault | outcome |', '|---|---|---|---|', ...lines].join('\n'))
    console.log(`${rows.length} faults${failed > 0 ? `, ${failed} of them not withstood` : ''}`)
  }
}
