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
    await expect(page.getByRole('table').getByRole('row').nth(10)).toBeVisible()
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith('http')) requests.push(request.url())
    })
    await page.reload()
    await expect(page.getByRole('table').getByRole('row').nth(10)).toBeVisible()
    await expect(page.getByRole('table')).not.toHaveAttribute('aria-busy', 'true')
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(4)
  })
}
