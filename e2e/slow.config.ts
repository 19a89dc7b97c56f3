import { defineConfig } from 'playwright/test'
import endToEnd from './playwright.config'

/** What would take npm test over ten minutes: recovery, accessibility, and the dashboard on services of other people. */
export default defineConfig({
  ...endToEnd,
  testMatch: ['*.slow.spec.ts', 'foreign/*.spec.ts'],
  testIgnore: [],
  outputDir: '../test-results/slow',
})
