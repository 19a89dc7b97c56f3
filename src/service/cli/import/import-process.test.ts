import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { administrator } from '../../testing/test-app'
import { callId, exportedCall, type ImportTestPlace, openImportPlace } from './testing/import-place'

// The command as people run it: built, in a process of its own.

const root = resolve(import.meta.dirname, '../../../..')
const built = join(root, '.cache', `import-test-${process.pid}`) // inside the project, where its packages are found
const children: ChildProcess[] = []
let place: ImportTestPlace

beforeAll(async () => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--ssr', 'src/service/cli/import/main.ts', '--outDir', built, '--logLevel', 'warn'],
    // vitest's own NODE_ENV is none of the build's business
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  )
  expect(status, stderr).toBe(0)
  place = await openImportPlace()
}, 60_000)
afterEach(() => {
  place.meddle(undefined)
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await place.close()
  rmSync(built, { recursive: true, force: true })
})

function start(parameters: readonly string[], variables: Record<string, string> = {}) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:SPOOL_|npm_|INIT_CWD)/.test(name)))
  const child = spawn(process.execPath, [join(built, 'main.js'), '--url', place.url, ...parameters], {
    cwd: place.folder,
    env: { ...inherited, ...place.environment, ...variables },
  })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = new Promise<number | null>((done) => {
    child.on('close', done)
  })
  return { child, output, ended }
}

async function run(parameters: readonly string[], variables?: Record<string, string>) {
  const { output, ended } = start(parameters, variables)
  return { code: await ended, ...output }
}

/** 5,000 calls of which the first batch is by far the largest, and three lines in the middle that are none. */
function writeCalls(name: string, projectId: string): string {
  const lines = Array.from({ length: 5000 }, (_, n) => {
    const call = exportedCall(n, projectId)
    return `${JSON.stringify(n === 0 ? { ...call, output: 'x'.repeat(2_000_000) } : call)}\n${n % 2000 === 1500 ? 'nonsense\n' : ''}`
  })
  writeFileSync(join(place.folder, name), lines.join(''))
  return name
}

const Kept = z.object({ offset: z.number(), lineNumber: z.number() })

/** How far an import of a file has come, as it says itself; 0 before it says anything. */
function lineReached(name: string): number {
  const folder = join(place.environment.SPOOL_DATA, 'imports')
  const file = readdirSync(folder).find((each) => each.startsWith(name) && /-[0-9a-f]{16}\.json$/.test(each))
  return file === undefined ? 0 : z.parse(Kept, JSON.parse(readFileSync(join(folder, file), 'utf8'))).lineNumber
}

test('killed in the middle and run again, it ends as if it had been run once', async () => {
  const file = writeCalls('killed.jsonl', 'acme/killed')
  mkdirSync(join(place.environment.SPOOL_DATA, 'imports'), { recursive: true })
  // The first batch is answered; those that follow are carried out, and never answered.
  place.meddle((request, response) => {
    if (Number(request.headers['content-length']) < 2_000_000) response.end = () => response
    return false
  })
  const killed = start([file])
  await expect.poll(() => lineReached(file), { timeout: 20_000 }).toBe(1000)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(killed.output.stdout).toBe('')

  place.meddle(undefined)
  const { code, stdout, stderr } = await run([file])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^killed\.jsonl: going on behind line 1000\.\nkilled\.jsonl:1502: [^\n]+\nkilled\.jsonl:3503: [^\n]+\n$/)
  expect(stdout).toContain('4,000 calls stored')
  expect(stdout).toContain('5,000 in all')
  expect(stdout).toContain('2 lines refused')

  const once = await run([writeCalls('once.jsonl', 'acme/once')])
  expect(once.stdout).toContain('5,000 calls stored')
  const withoutProject = async (projectId: string) =>
    (await place.calls(projectId)).map((call) => Object.assign(call, { project_id: '' }))
  expect(await withoutProject('acme/killed')).toEqual(await withoutProject('acme/once'))
}, 60_000)

test('killed between two requests of prices and run again, it adds each price once', async () => {
  const rows = Array.from({ length: 1500 }, (_, n) => `m${n},0.0000025,0.00001\n`).join('')
  writeFileSync(join(place.folder, 'prices.csv'), `llm_id,prompt_token_cost,completion_token_cost\n${rows}`)
  const parameters = ['prices.csv', '--project', 'acme/killed-prices']
  let created = 0
  const first = start(parameters)
  place.meddle(({ url }) => {
    if (url !== '/cost/create') return false
    created += 1
    if (created === 2) first.child.kill('SIGKILL')
    return created === 2
  })
  await first.ended
  expect(created).toBe(2)

  place.meddle(undefined)
  const { code, stdout } = await run(parameters)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'prices.csv: 500 prices stored in acme/killed-prices, 1,000 there already.\n',
  })
  const Count = z.object({ costs: z.number(), models: z.number() })
  const [counted] = await place.app.place.store.query(
    "SELECT toUInt32(count()) AS costs, toUInt32(uniqExact(llm_id)) AS models FROM costs FINAL WHERE project_id = 'acme/killed-prices'",
    {},
    Count,
  )
  expect(counted).toEqual({ costs: 1500, models: 1500 })
})

test('an interrupt waits for what is under way and says how to go on', async () => {
  const file = writeCalls('interrupted.jsonl', 'acme/interrupted')
  let interrupted = start([file])
  let requestCount = 0
  place.meddle(() => {
    requestCount += 1
    if (requestCount === 1) interrupted.child.kill('SIGINT')
    return false
  })
  expect(await interrupted.ended).toBe(130)
  const behind = /Stopped behind line ([\d,]+)\. Give the same command again/
    .exec(interrupted.output.stdout)?.[1]
    ?.replace(',', '')
  expect(Number(behind)).toBe(lineReached('interrupted.jsonl'))
  place.meddle(undefined)
  interrupted = start([file])
  expect(await interrupted.ended).toBe(2)
  expect(interrupted.output.stderr).toMatch(new RegExp(`^${file}: going on behind line ${behind}\\.\n`))
  expect(await place.calls('acme/interrupted')).toHaveLength(5000)
})

test('a second interrupt does not wait', async () => {
  const file = writeCalls('impatient.jsonl', 'acme/impatient')
  place.meddle((request) => {
    request.resume()
    return true
  })
  const before = place.requests.length
  const { child, output, ended } = start([file])
  await expect.poll(() => place.requests.length, { timeout: 10_000 }).toBeGreaterThan(before)
  child.kill('SIGINT')
  await expect.poll(() => output.stderr).toContain('Once more leaves at once')
  // Again until it counts: two in quick succession are taken for one.
  await expect.poll(() => (child.kill('SIGINT'), child.exitCode), { timeout: 5000, interval: 100 }).toBe(130)
  expect(await ended).toBe(130)
})

test('the administrator of the data folder is who imports, and no password is ever printed', async () => {
  const folder = join(place.folder, 'with-users')
  mkdirSync(folder)
  writeFileSync(join(folder, 'users.json'), JSON.stringify([administrator]))
  writeFileSync(join(place.folder, 'one.jsonl'), `${JSON.stringify(exportedCall(1, 'acme/administrator'))}\n`)
  const variables = { SPOOL_DATA: folder, SPOOL_USERNAME: '', SPOOL_PASSWORD: '' }
  const { code, stdout, stderr } = await run(['one.jsonl'], variables)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain(administrator.password)
  expect((await place.calls('acme/administrator')).map(({ id }) => id)).toEqual([callId(1)])
  const kept = readdirSync(join(folder, 'imports')).map((name) => readFileSync(join(folder, 'imports', name), 'utf8'))
  expect(kept.join('')).not.toContain(administrator.password)
})

test('npm’s script finds files where the person is', async () => {
  const folder = join(place.folder, 'elsewhere')
  mkdirSync(folder)
  writeFileSync(join(folder, 'here.jsonl'), `${JSON.stringify(exportedCall(1, 'acme/npm'))}\n`)
  const { code, stdout } = await run(['here.jsonl'], { npm_lifecycle_event: 'import', INIT_CWD: folder })
  expect(code).toBe(0)
  expect(stdout).toContain('here.jsonl: 1 call stored')
})
