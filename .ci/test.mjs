// npm test: cheapest first, and at the end the names of the failures and one line of totals. With --slow (npm run test:slow):
// what would take npm test over ten minutes on two cores; with --built too, of what is built already. Every step runs even if an
// earlier one failed, so that one run reports all failures.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const memoryFolder = '/dev/shm'
const minFreeBytes = 8e9

function hasRoomInMemory() {
  if (!existsSync(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= minFreeBytes
}

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(tmpdir(), 'spool-test-'))
const unitReport = join(reports, 'unit.json')
const endToEndReport = join(reports, 'end-to-end.json')

// Half of a store test is waiting for the disk, and none needs its data after a power cut. The faults use the disk.
const storeFolder = mkdtempSync(join(hasRoomInMemory() ? memoryFolder : tmpdir(), 'spool-test-'))

const bin = (name) => join(root, 'node_modules', '.bin', name)

const build = { name: 'build', command: ['npm', 'run', '--silent', 'build'] }

/** A step counts as one test, unless `count` reads the numbers from its report. */
const quickSteps = () => [
  { name: 'types', command: [bin('tsc')] },
  { name: 'lint', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', command: [bin('oxfmt'), '--check'] },
  { name: 'unused code', command: [bin('knip')] },
  { name: 'lock file complete', command: [process.execPath, join(root, '.ci/complete-lock.mjs'), '--check'] },
  vitestStep('unit, store, routes', 'fast', 'engine', 'process'),
  build,
  playwrightStep('end to end', 'e2e/playwright.config.ts', { TMPDIR: storeFolder }),
]
const slowSteps = () => [
  vitestStep('long properties, crashes, large data', 'slow'),
  ...(process.argv.includes('--built') ? [] : [build]),
  playwrightStep(
    'more of the dashboard, other services',
    'e2e/slow.config.ts',
    { TMPDIR: storeFolder },
    './e2e/foreign/print-foreign.ts',
  ),
  playwrightStep('faults', 'e2e/faults/playwright.config.ts', {}, './e2e/faults/print-faults.ts'),
]

function vitestStep(name, ...projects) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]
  return {
    name,
    command: [bin('vitest'), 'run', ...projects.map((project) => `--project=${project}`), ...reporters],
    environment: { TMPDIR: storeFolder },
    count: () => {
      const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = readReport(unitReport)
      return {
        passed: numPassedTests,
        failed: numFailedTests > 0 ? numFailedTests : numFailedTestSuites,
        failures: testResults.flatMap(namesOfFailedUnitTests),
      }
    },
  }
}

function playwrightStep(name, config, environment, ...printers) {
  return {
    name,
    command: [bin('playwright'), 'test', '--config', config, `--reporter=${['list', 'json', ...printers].join(',')}`],
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: endToEndReport, ...environment },
    count: () => {
      const { stats, errors, suites } = readReport(endToEndReport)
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected + errors.length,
        flaky: stats.flaky,
        failures: suites.flatMap(failuresOfSuite),
      }
    },
  }
}

/** A file that failed before its first test has no failed test, but a message. */
function namesOfFailedUnitTests({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [`${relative(root, name)}: ${shorten(message)}`]
  return failed.map((test) => `${test.fullName}: ${shorten(test.failureMessages[0])}`)
}

/** Also what passed only the second time, with the error of its first run. */
function failuresOfSuite({ file, specs = [], suites = [] }) {
  const failed = specs.flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) => {
        const error = test.results.find((result) => result.error)?.error
        return `${file}:${spec.line} ${spec.title} (${test.status}): ${shorten(error?.message)}`
      }),
  )
  return [...failed, ...suites.flatMap(failuresOfSuite)]
}

/** In one line, and without the excerpts of code and logs that follow. */
function shorten(message = 'no message') {
  return stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, 300)
}

function readReport(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function run([file, ...args], environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } })
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** A runner that crashed before its report, or found nothing to run, counts as one failure. */
function countResults(step, code) {
  if (!step.count) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  try {
    const counts = step.count()
    const hasUncountedFailure = (code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0
    return { ...counts, failed: hasUncountedFailure ? 1 : counts.failed }
  } catch (error) {
    console.error(`${step.name} wrote no report: ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}

const total = { passed: 0, failed: 0 }
const lines = []
for (const step of process.argv.includes('--slow') ? slowSteps() : quickSteps()) {
  console.log(`\n── ${step.name}`)
  const startedAt = performance.now()
  for (const report of [unitReport, endToEndReport]) rmSync(report, { force: true })
  const { passed, failed, flaky, failures = [] } = countResults(step, await run(step.command, step.environment))
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const notes = `${failed ? `, ${failed} failed` : ''}${flaky ? `, ${flaky} of these only the second time` : ''}`
  lines.push(`${failed === 0 ? '✓' : '✗'} ${step.name}: ${passed} passed${notes} (${seconds} s)`)
  lines.push(...failures.map((failure) => `    ${failure}`))
}
for (const folder of [reports, storeFolder]) rmSync(folder, { recursive: true, force: true })

const summary = `\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed\n`
process.stdout.write(summary)
if (process.env.TEST_SUMMARY) appendFileSync(process.env.TEST_SUMMARY, summary)
process.exitCode = total.failed === 0 ? 0 : 1
