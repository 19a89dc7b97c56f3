import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from './fixtures'

const buildFolder = join(process.cwd(), 'dist/dashboard')

function gzipBytes(path: string): number {
  return gzipSync(readFileSync(path), { level: 9 }).length
}

/** The scripts that index.html names: they are fetched before the first route is usable. */
function firstScripts(): string[] {
  const page = readFileSync(join(buildFolder, 'index.html'), 'utf8')
  return [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name]) => join(buildFolder, name ?? ''))
}

test('JavaScript before the first route is at most 128 kB gzip in at most two files', () => {
  const scripts = firstScripts()
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.length).toBeLessThanOrEqual(2)
  expect(scripts.reduce((sum, path) => sum + gzipBytes(path), 0)).toBeLessThanOrEqual(128_000)
})

function allScripts(): string[] {
  const names = readdirSync(buildFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  return names.map((name) => join(buildFolder, name))
}

// Each page loads its own part. What nobody opens is loaded last, when the page is idle.
test('all JavaScript together is at most 360 kB gzip', () => {
  expect(allScripts().reduce((sum, path) => sum + gzipBytes(path), 0)).toBeLessThanOrEqual(360_000)
})

test('no script is smaller than 2 kB gzip: what is used together is loaded together', () => {
  expect(allScripts().filter((path) => gzipBytes(path) < 2000)).toEqual([])
})

// The sample project has calls of few models.
for (const { path, rowCount } of [
  { path: '/costs', rowCount: 5 },
  { path: '/costs?view=prices', rowCount: 25 },
  { path: '/threads', rowCount: 25 },
]) {
  test(`the first rows on ${path} take at most four requests`, async ({ page, client, signIn }) => {
    // A service that has just started may still be summing up the sample.
    await expect(() => client.postJson('/spend/query', { project_id: 'sample/support-bot', limit: 1 })).toPass()
    await signIn(path, 'sample/support-bot')
    // Whether rows are on screen is looked up when a request is made: entries and marks of a slow page come in no fixed order.
    await page.addInitScript(() => {
      const send = window.fetch.bind(window)
      window.fetch = async (input, options) => {
        const url = input instanceof Request ? input.url : String(input)
        if (!document.querySelector('tbody [data-row-button]')) performance.mark('request', { detail: url })
        return send(input, options)
      }
    })
    await page.reload()
    await expect(page.locator('tbody [data-row-button]').nth(rowCount - 1)).toBeAttached()
    const requests = await page.evaluate(() => {
      const asked = performance.getEntriesByName('request') as PerformanceMark[]
      const firstAskedAt = asked[0]?.startTime ?? Infinity
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
      return [
        location.href,
        // What loads after the first question is not needed to ask it.
        ...files.filter(({ startTime }) => startTime < firstAskedAt).map(({ name }) => name),
        // The tools of the page come after the rows, or after 1.5 s: on a slow machine they ask before there are rows.
        ...asked.filter(({ startTime }) => startTime < firstAskedAt + 1000).map(({ detail }) => String(detail)),
      ]
    })
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(4)
    expect(requests.length).toBeGreaterThan(1)
  })
}
