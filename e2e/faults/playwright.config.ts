import { defineConfig } from 'playwright/test'

/** Faults and attacks against the built service, as a client sees them. Nothing here opens a browser. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/faults',
  forbidOnly: process.env['CI'] !== undefined,
  // More than cores: the tests wait for the disk, and for processes that start and end.
  workers: 3,
  timeout: 120_000,
})
