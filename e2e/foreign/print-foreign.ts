import type { Reporter, TestCase } from 'playwright/types/testReporter'

/** The annotation of a test that has the outcomes of its variant: JSON of `[variant, { step: outcome }]`. */
export const cellsAnnotation = 'foreign service'

/** Prints how each page behaves with each foreign service, after the tests. */
export default class PrintForeign implements Reporter {
  private readonly rows = new Map<string, Record<string, string>>()

  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type !== cellsAnnotation || description === undefined) continue
      const [variant, outcomes] = JSON.parse(description) as [string, Record<string, string>] // written by foreign.spec.ts
      this.rows.set(variant, outcomes)
    }
  }

  onEnd(): void {
    if (this.rows.size === 0) return
    const steps = [...new Set([...this.rows.values()].flatMap((outcomes) => Object.keys(outcomes)))]
    const lines = Array.from(this.rows, ([variant, outcomes]) => [variant, ...steps.map((step) => outcomes[step] ?? '')])
    const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    console.log(['', toLine(['service', ...steps]), toLine(['', ...steps].map(() => '---')), ...lines.map(toLine)].join('\n'))
  }
}
