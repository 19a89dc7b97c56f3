import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from './fixtures'

const built = join(process.cwd(), 'dist/dashboard')

function gzipBytes(path: string): number {
  return gzipSync(readFileSync(path), { level: 9 }).length
}

/** Scripts the page names itself: what is fetched before the first route can be used. */
function firstScripts(): string[] {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  return [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name]) => join(built, name ?? ''))
}

test('JavaScript before the first route is at most 120 kB gzip in at most two files', () => {
  const scripts = firstScripts()
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.length).toBeLessThanOrEqual(2)
  expect(scripts.reduce((sum, path) => sum + gzipBytes(path), 0)).toBeLessThanOrEqual(120_000)
})

test('all JavaScript together is at most 300 kB gzip', () => {
  const all = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  expect(all.reduce((sum, name) => sum + gzipBytes(join(built, name)), 0)).toBeLessThanOrEqual(300_000)
})

for (const path of ['/costs', '/threads']) {
  test(`the first full table on ${path} takes at most four requests`, async ({ page, signIn }) => {
    await signIn(path, 'sample/support-bot')
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const isFull = document.querySelectorAll('tbody [data-row-button]').length >= 25
        if (isFull && performance.getEntriesByName('full').length === 0) performance.mark('full')
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await expect.poll(async () => page.evaluate(() => performance.getEntriesByName('full').length)).toBe(1)
    const requests = await page.evaluate(() => {
      const fullAt = performance.getEntriesByName('full')[0]?.startTime ?? 0
      return performance
        .getEntries()
        .filter((entry) => (entry.entryType === 'resource' || entry.entryType === 'navigation') && entry.startTime < fullAt)
        .map(({ name }) => name)
    })
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(4)
    expect(requests.length).toBeGreaterThan(1)
  })
}
