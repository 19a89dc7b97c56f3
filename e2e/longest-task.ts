import { type Browser, expect, type Page } from 'playwright/test'

/** The longest task of the page's main thread while `act` runs, in milliseconds. */
export async function measureLongestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  return readLongestTaskMs(await browser.stopTracing())
}

/** In processor time: a loaded machine makes no task longer. */
export function readLongestTaskMs(trace: Buffer): number {
  type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] } // of Chromium
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
  const mainThreads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
  const durations = traceEvents.flatMap(({ pid, tid, tdur }) => (mainThreads.has(`${pid} ${tid}`) ? [tdur ?? 0] : []))
  expect(durations.length).toBeGreaterThan(0)
  return durations.reduce((longest, duration) => Math.max(longest, duration), 0) / 1000
}
