import { type Browser, expect, type Page } from 'playwright/test'

/**
 * The longest task of the page's main thread while `act` runs, in milliseconds of a processor that needs `usualReferenceMs` for
 * the reference work. So a limit means the same on a fast machine and on a slow one.
 */
export async function measureLongestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  const before = await measureReferenceMs(browser)
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  const longestMs = readLongestTaskMs(await browser.stopTracing())
  // The speed of a shared processor changes within seconds.
  const referenceMs = Math.max(before, await measureReferenceMs(browser))
  console.log(`longest task ${longestMs.toFixed(0)} ms, reference work ${referenceMs.toFixed(0)} ms`)
  return (longestMs * usualReferenceMs) / referenceMs
}

/** In processor time: a loaded machine makes no task longer. */
function readLongestTaskMs(trace: Buffer): number {
  type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] } // of Chromium
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
  const mainThreads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
  const durations = traceEvents.flatMap(({ pid, tid, tdur }) => (mainThreads.has(`${pid} ${tid}`) ? [tdur ?? 0] : []))
  expect(durations.length).toBeGreaterThan(0)
  return durations.reduce((longest, duration) => Math.max(longest, duration), 0) / 1000
}

const usualReferenceMs = 40
const referenceRounds = 5

/** Processor time of the main thread for work like that of the dashboard: values read from JSON, and a table made and laid out. */
async function measureReferenceMs(browser: Browser): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const readThreadMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ThreadTime')?.value
    if (seconds === undefined) throw new Error('Chromium does not tell the processor time of the main thread')
    return seconds * 1000
  }
  const durations: number[] = []
  for (let round = 0; round < referenceRounds; round += 1) {
    const before = await readThreadMs()
    await page.evaluate(buildReferenceTable)
    durations.push((await readThreadMs()) - before)
  }
  await context.close()
  // The slowest: what is compared with it is the longest of many tasks.
  return Math.max(...durations)
}

function buildReferenceTable() {
  const cells = Array.from({ length: 2400 }, (_, index) => ({ index, text: `cell ${index}` }))
  const read = JSON.parse(JSON.stringify(cells)) as typeof cells // what was written
  const table = document.createElement('table')
  for (let row = 0; row < read.length; row += 8) {
    const line = table.insertRow()
    for (const { text } of read.slice(row, row + 8)) line.insertCell().textContent = text
  }
  document.body.append(table)
  table.getBoundingClientRect()
  table.remove()
}
