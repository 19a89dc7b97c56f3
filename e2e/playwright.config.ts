import { defineConfig } from 'playwright/test'
import { chromiumArguments, findChromium } from './find-chromium'

export default defineConfig({
  testDir: '.',
  testIgnore: ['faults/**', 'foreign/**', '*.slow.spec.ts'],
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // More than cores: the tests wait for the browser and the service most of the time.
  workers: 3,
  // A machine that is shared may be several times slower than usual, for some seconds too. What passes only the second time is
  // named at the end: its test or its page depends on the machine's speed, and is to be mended.
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
  },
})
