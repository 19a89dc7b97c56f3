import { defineConfig } from 'playwright/test'
import endToEnd from './playwright.config'

/** What would take npm test over ten minutes: more of the dashboard, and the dashboard on services of other people. */
export default defineConfig({
  ...endToEnd,
  testMatch: ['*.slow.spec.ts', 'foreign/*.spec.ts'],
  testIgnore: [],
  outputDir: '../test-results/slow',
  // One test here looks at a page in many states, and a shared machine may be several times slower than usual.
  timeout: 300_000,
  expect: { timeout: 40_000 },
})
