import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import { faultAnnotation } from './fault'

/** Prints the table of faults and outcomes after the tests, each with whether its test passed. */
export default class PrintFaults implements Reporter {
  private readonly rows = new Map<string, { name: string; outcome: string; hasPassed: boolean }>()

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const { type, description } of test.annotations) {
      if (type !== faultAnnotation || description === undefined) continue
      const [name, outcome] = JSON.parse(description) as [string, string] // written by `fault`
      this.rows.set(test.id, { name, outcome, hasPassed: result.status === 'passed' })
    }
  }

  onEnd(): void {
    const rows = [...this.rows.values()].toSorted((left, right) => left.name.localeCompare(right.name))
    const lines = rows.map(({ name, outcome, hasPassed }) => `| ${hasPassed ? '✓' : '✗'} | ${name} | ${outcome} |`)
    if (lines.length > 0) console.log(['', '| | fault | outcome |', '|---|---|---|', ...lines].join('\n'))
  }
}
