import { chromium, type Locator } from 'playwright'
import { chromiumArguments, findChromium } from '../find-chromium'
import { SpoolService } from '../spool-service'
import { callsPerTurn, conversationProject } from './load-conversations'
import { type Measurement, median, report } from './report'

const username = 'bench'
const password = 'a password for the bench'
const rounds = 5
/** How many times slower Chromium runs the page, as on a weak device (CPU x4). */
const slowdown = 4

/** How long the pointer or the focus rests on a header before the press, and how long the pointer presses, milliseconds. */
const restMs = 100
const pressMs = 80

/** Labels of columns. */
const sorts = ['p99', 'Turns', 'p50', 'Last updated']

/** Parameters of the URL, as the filters of the toolbar set them. */
const filters: Readonly<Record<string, string>> = {
  'errors only': 'errors=only',
  'a model': 'model=o3',
  'an op': 'op=step-7',
  'a user': 'user=user-42',
  'a rare word': 'text=w19000',
  'a frequent word': 'text=w3',
  'two words and errors': 'text=w30+w40&errors=only',
  'thread ids that begin with': 'prefix=thread-77',
  'p99 of 30 s or more': 'p99=30000',
  '10 turns or more': 'turns=10',
  'dearer than 0.5 USD': 'cost=0.5',
  'the last 24 hours': 'window=24h',
}

/**
 * What a person waits for on the pages of threads and costs, in Chromium, from the event to the frame after the last row has
 * come. The folder was filled by `loadConversations`.
 */
export async function benchInteractions(folder: string, calls: number): Promise<boolean> {
  const service = await SpoolService.start({
    SPOOL_DATA: folder,
    SPOOL_USERNAME: username,
    SPOOL_PASSWORD: password,
    SPOOL_SAMPLE: 'off',
  })
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
  try {
    const page = await browser.newPage({ baseURL: service.url, viewport: { width: 1280, height: 900 } })
    await page.addInitScript(installPageBench)
    await page.goto('/connection')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Project').first().fill(conversationProject)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('table').waitFor()
    const threads = `/threads?project=${encodeURIComponent(conversationProject)}`
    await page.goto(threads)
    await page.getByRole('table', { name: 'Threads' }).waitFor()

    const times = new Map<string, number[]>()
    const measureFrom = async (start: 'click' | 'now', name: string, act: () => Promise<unknown>) => {
      const [ms] = await Promise.all([page.evaluate((from) => window.bench.nextRows(from), start), act()])
      times.set(name, [...(times.get(name) ?? []), ms])
    }
    const measure = measureFrom.bind(undefined, 'click')
    const show = (url: string) => page.evaluate((shown) => window.bench.show(shown), url)
    const press = async (button: Locator) => {
      // The browser draws nothing while it hides the title of the button before.
      await page.mouse.move(0, 0)
      await page.evaluate(() => window.bench.whenIdle())
      await button.hover()
      // The waits are those of a hand, and part of what is measured.
      await page.waitForTimeout(restMs)
      await page.mouse.down()
      await page.waitForTimeout(pressMs)
      await page.mouse.up()
    }
    // The first round warms caches and is not counted.
    for (let round = -1; round < rounds; round += 1) {
      if (round === 0) times.clear()
      // A page that has just been opened remembers no rows.
      await page.goto(threads)
      await page.evaluate(() => window.bench.whenIdle())
      for (const [name, restedMs] of [
        ['keyboard at once', 0],
        ['keyboard', restMs],
      ] as const) {
        for (const label of sorts) {
          await page.evaluate(() => window.bench.whenIdle())
          await measure(`sort by ${label}, ${name}`, async () => {
            // The button that has the focus is reached as by the Tab key.
            await page.locator(`th[data-label="${label}"] .sort-button`).focus()
            // The wait is that of a hand, and part of what is measured.
            await page.waitForTimeout(restedMs)
            await page.keyboard.press('Enter')
          })
        }
        await page.goto(threads)
        await page.evaluate(() => window.bench.whenIdle())
      }
      for (const label of sorts) {
        await page.evaluate(() => window.bench.whenIdle())
        await measure(`sort by ${label}, pointer`, () => press(page.locator(`th[data-label="${label}"] .sort-button`)))
      }
      await page.evaluate(() => window.bench.whenIdle())
      await measure('next page, pointer', () => press(page.getByRole('button', { name: 'Next page' })))
      for (const [name, query] of Object.entries(filters)) {
        await show(threads)
        await page.evaluate(() => window.bench.whenIdle())
        await measureFrom('now', `filter: ${name}`, () => show(`${threads}&${query}`))
      }
    }
    const browserSession = await page.context().newCDPSession(page)
    /** Uses the pages once. The slowest answer of each kind, milliseconds. */
    const measureRound = async () => {
      const slowest = new Map<string, number>()
      const answer = async (kind: string, act: () => Promise<unknown>) => {
        await page.evaluate(() => window.bench.whenIdle())
        await page.evaluate(() => window.bench.forgetEvents())
        await act()
        await page.evaluate(() => window.bench.whenIdle())
        const ms = await page.evaluate(() => window.bench.slowestEventMs())
        slowest.set(kind, Math.max(ms, slowest.get(kind) ?? 0))
      }
      for (const label of sorts) {
        await answer('sort', () => press(page.locator(`th[data-label="${label}"] .sort-button`)))
        await answer('sort', () => page.keyboard.press('Enter'))
      }
      for (const name of ['Next page', 'Previous page']) {
        await answer('next and previous page', () => press(page.getByRole('button', { name })))
      }
      await answer('open a row, the next one, close', () => press(page.locator('tbody [data-row-button]').nth(2)))
      await page.getByRole('dialog', { name: /^Thread / }).waitFor()
      for (const key of ['j', 'Escape']) await answer('open a row, the next one, close', () => page.keyboard.press(key))
      for (const key of ['Control+k', '?']) {
        await answer('open palette and help', () => page.keyboard.press(key))
        await answer('close palette and help', () => page.keyboard.press('Escape'))
      }
      for (const name of ['Queues', 'Costs', 'Threads']) {
        const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })
        await answer('go to another page', () => press(link))
      }
      return slowest
    }
    /** The same of each round, on a device that is `rate` times slower. */
    const measureAnswers = async (rate: number) => {
      const all = new Map<string, number[]>()
      for (let round = 0; round < rounds; round += 1) {
        // Before the page is loaded: a weak device is slow from the beginning.
        await browserSession.send('Emulation.setCPUThrottlingRate', { rate })
        await page.goto(threads)
        for (const [kind, ms] of await measureRound()) all.set(kind, [...(all.get(kind) ?? []), ms])
        await browserSession.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      }
      return all
    }
    const answers = await measureAnswers(1)
    const weakAnswers = await measureAnswers(slowdown)
    const rows = [...times].map(([name, ms]): Measurement => {
      const row = { name, value: median(ms), unit: 'ms' }
      // The target is one for a click. Nobody finds a header by the keyboard and presses it in the same moment.
      return name.startsWith('sort') && !name.endsWith('at once') ? Object.assign(row, { target: { max: 50 } }) : row
    })
    console.log(
      `\nFrom the click. The pointer or the focus has rested on the button for ${restMs} ms by then, and the pointer has pressed for ${pressMs} ms; at once: neither.`,
    )
    const areRowsFast = report(`Interactions among ${(calls / callsPerTurn).toLocaleString('en')} turns, to the new rows`, rows)
    const toAnswerRows = (kinds: ReadonlyMap<string, number[]>, suffix: string, max: number) =>
      [...kinds].map(([kind, ms]): Measurement => ({ name: kind + suffix, value: median(ms), unit: 'ms', target: { max } }))
    const areAnswersFast = report('The same pages, to the next frame (INP)', [
      ...toAnswerRows(answers, '', 50),
      ...toAnswerRows(weakAnswers, `, CPU x${slowdown}`, 100),
    ])
    return areRowsFast && areAnswersFast
  } finally {
    await browser.close()
    await service.stop()
  }
}

type PageBench = {
  show: (url: string) => void
  /** How long it takes from now, or from the next click, until new rows are on screen, milliseconds. */
  nextRows: (start: 'click' | 'now') => Promise<number>
  whenIdle: () => Promise<void>
  /** Of the clicks and keys since `forgetEvents`, milliseconds from the event to the frame after it. */
  slowestEventMs: () => number
  forgetEvents: () => void
}
declare global {
  interface Window {
    bench: PageBench
  }
}

/** Runs in the page, which sees nothing else of this file. */
function installPageBench(): void {
  let slowestEventMs = 0
  new PerformanceObserver((list) => {
    // Not of `pointerdown`: the browser reports the frame of a mere press when it has drawn the next one, after the click.
    for (const { name, duration } of list.getEntries()) {
      if (name === 'click' || name === 'keydown') slowestEventMs = Math.max(slowestEventMs, duration)
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  const isBusy = () => document.querySelector('main [aria-busy=true]') !== null
  const afterFrame = (then: () => void) => requestAnimationFrame(() => setTimeout(then))
  const whenIdle = () =>
    new Promise<void>((resolve) => {
      const check = () => (isBusy() ? setTimeout(check, 20) : afterFrame(resolve))
      setTimeout(check, 100)
    })
  window.bench = {
    show: (url) => history.pushState(null, '', url),
    whenIdle,
    slowestEventMs: () => slowestEventMs,
    forgetEvents: () => (slowestEventMs = 0),
    // Until the table is no longer busy, and the frame after that.
    nextRows: (start) =>
      new Promise((resolve, reject) => {
        let startedAt = start === 'now' ? performance.now() : undefined
        if (start === 'click')
          addEventListener('click', ({ timeStamp }) => (startedAt = timeStamp), { capture: true, once: true })
        let hasNewRows = false
        const observer = new MutationObserver((changes) => {
          // The figures of the rows before may come while a hand still rests.
          if (startedAt === undefined) return
          hasNewRows ||=
            isBusy() ||
            changes.some(({ target }) => (target instanceof Element ? target : target.parentElement)?.closest('tbody'))
          if (!hasNewRows || isBusy()) return
          observer.disconnect()
          clearTimeout(timer)
          const from = startedAt
          afterFrame(() => resolve(performance.now() - from))
        })
        const changed = { subtree: true, childList: true, characterData: true }
        observer.observe(document.body, { ...changed, attributes: true, attributeFilter: ['aria-busy'] })
        const timer = setTimeout(() => reject(new Error('No rows came.')), 60_000)
      }),
  }
}
