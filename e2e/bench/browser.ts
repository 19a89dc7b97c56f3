import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { build } from 'vite'
import { chromiumArguments, findChromium } from '../find-chromium'
import { SpoolService } from '../spool-service'
import { type Measurement, median, report } from './report'

const lighthouse = 'lighthouse@12.8.2'
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const username = 'bench'
const password = 'a password for the bench'

type Run = { scores: Record<(typeof categories)[number], number>; lcp: number; tbt: number; cls: number }

/** Lighthouse on each page, desktop and mobile, compared with a bare React page built in the same run. */
export async function benchBrowser(folder: string): Promise<boolean> {
  const executablePath = findChromium()
  const service = await SpoolService.start({ SPOOL_USERNAME: username, SPOOL_PASSWORD: password })
  const bare = await serveBareReact(folder)
  const profile = mkdtempSync(join(tmpdir(), 'spool-bench-profile-'))
  const port = 9333
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  })
  try {
    const page = await context.newPage()
    await page.goto(`${service.url}/connection`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Project').first().fill('sample/support-bot')
    // Lighthouse opens its own tab, so the session must not end with this one.
    await page.getByLabel(/Remember/).check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('table').waitFor()
    await page.close()

    let areTargetsMet = true
    for (const form of ['desktop', 'mobile'] as const) {
      const floor = await medianRun(bare.url, form, port, folder)
      for (const path of ['/costs', '/threads', '/queues', '/connection']) {
        areTargetsMet =
          report(
            `Lighthouse, ${form}, ${path}`,
            measurements(await medianRun(service.url + path, form, port, folder), floor, form),
          ) && areTargetsMet
      }
    }
    return areTargetsMet
  } finally {
    await context.close()
    await service.stop()
    bare.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

function measurements(run: Run, floor: Run, form: 'desktop' | 'mobile'): Measurement[] {
  return [
    ...categories.map((category) => ({ name: category, value: run.scores[category], unit: '', target: { min: 98 } })),
    { name: 'LCP', value: run.lcp, unit: 'ms', target: { max: form === 'mobile' ? 1500 : 450 } },
    { name: 'LCP beside bare React', value: run.lcp / floor.lcp, unit: 'x' },
    { name: 'TBT', value: run.tbt, unit: 'ms', ...(form === 'mobile' && { target: { max: 120 } }) },
    { name: 'CLS', value: run.cls, unit: '', target: { max: 0.02 } },
  ]
}

async function medianRun(url: string, form: 'desktop' | 'mobile', port: number, folder: string): Promise<Run> {
  const runs: Run[] = []
  for (let index = 0; index < 3; index += 1) runs.push(await runLighthouse(url, form, port, folder))
  const middle = (read: (run: Run) => number) => median(runs.map(read))
  return {
    scores: {
      performance: middle((run) => run.scores.performance),
      accessibility: middle((run) => run.scores.accessibility),
      'best-practices': middle((run) => run.scores['best-practices']),
      seo: middle((run) => run.scores.seo),
    },
    lcp: middle((run) => run.lcp),
    tbt: middle((run) => run.tbt),
    cls: middle((run) => run.cls),
  }
}

async function runLighthouse(url: string, form: 'desktop' | 'mobile', port: number, folder: string): Promise<Run> {
  const output = join(folder, 'lighthouse.json')
  const args = ['exec', '--yes', '--', lighthouse, url, '--quiet', `--port=${port}`, '--disable-storage-reset', '--output=json']
  const options = [...args, `--output-path=${output}`, ...(form === 'desktop' ? ['--preset=desktop'] : [])]
  const run = () =>
    new Promise((resolve) => {
      spawn('npm', options, { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', resolve)
    })
  // Lighthouse sometimes loses its own trace (NO_NAVSTART); a second run is what it asks for.
  const code = (await run()) && (await run())
  if (code !== 0) throw new Error(`Lighthouse ended with ${String(code)} on ${url}.`)
  const result: {
    categories: Record<string, { score: number }>
    audits: Record<string, { numericValue: number }>
  } = JSON.parse(readFileSync(output, 'utf8'))
  const score = (name: string) => (result.categories[name]?.score ?? Number.NaN) * 100
  const audit = (name: string) => result.audits[name]?.numericValue ?? Number.NaN
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    lcp: audit('largest-contentful-paint'),
    tbt: audit('total-blocking-time'),
    cls: audit('cumulative-layout-shift'),
  }
}

/** A page of React with one heading: no React application can be faster. */
async function serveBareReact(folder: string): Promise<{ url: string; close: () => void }> {
  const source = join(folder, 'bare')
  mkdirSync(source, { recursive: true })
  writeFileSync(
    join(source, 'index.html'),
    '<!doctype html><html lang="en"><head><title>Bare</title><meta name="viewport" content="width=device-width"></head><body><div id="root"></div><script type="module" src="/main.js"></script></body></html>',
  )
  writeFileSync(
    join(source, 'main.js'),
    "import { createElement } from 'react'\nimport { createRoot } from 'react-dom/client'\ncreateRoot(document.getElementById('root')).render(createElement('h1', null, 'Bare'))\n",
  )
  await build({ root: source, configFile: false, logLevel: 'warn', build: { outDir: 'dist', emptyOutDir: true } })
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' }
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : (request.url ?? '')
    try {
      const body = readFileSync(join(source, 'dist', name))
      response.writeHead(200, { 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // listening on TCP
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
