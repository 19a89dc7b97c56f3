import { defineConfig } from 'playwright/test'
import endToEnd from '../playwright.config'

/** The dashboard on services of other people: one journey for each kind of service. */
export default defineConfig({
  ...endToEnd,
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/foreign',
  timeout: 90_000,
})
