import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sql } from '../../store/sql'
import { administrator } from '../../testing/test-app'
import { createExportedCall, openTestImport, type TestImport, toCallId } from './testing/test-import'

// The built command in a process of its own, as people run it.

const root = resolve(import.meta.dirname, '../../../..')
const built = join(root, '.cache', `import-test-${process.pid}`) // Within the project, so that its packages are found.
const children: ChildProcess[] = []
let spool: TestImport

beforeAll(async () => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--ssr', 'src/service/cli/import/main.ts', '--outDir', built, '--logLevel', 'warn'],
    // vitest sets NODE_ENV to 'test', which would change the build.
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  )
  expect(status, stderr).toBe(0)
  spool = await openTestImport()
}, 60_000)
afterEach(() => {
  spool.intercept(undefined)
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await spool.close()
  rmSync(built, { recursive: true, force: true })
})

function start(parameters: readonly string[], variables: Record<string, string> = {}) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:SPOOL_|npm_|INIT_CWD)/.test(name)))
  const child = spawn(process.execPath, [join(built, 'main.js'), '--url', spool.url, ...parameters], {
    cwd: spool.folder,
    env: { ...inherited, ...spool.environment, ...variables },
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

function toLines(count: number, projectId: string): string {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify(createExportedCall(n, projectId))}\n`).join('')
}

test('imports files, prints a summary and exits with 0', async () => {
  const file = spool.writeFile(toLines(3, 'acme/process'))
  const { code, stdout, stderr } = await run([file])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\S+: 3 calls stored in \d+ s\.\n$/)
})

test('an import that was killed is completed by the same command', async () => {
  const file = spool.writeFile(toLines(3000, 'acme/killed'))
  // The service stores the first batch, and the import is killed before the next response.
  let requestCount = 0
  const killed = start([file])
  spool.intercept((_, response) => {
    requestCount += 1
    if (requestCount > 1) response.end = () => (killed.child.kill('SIGKILL'), response)
    return false
  })
  await killed.ended
  expect(killed.output.stdout).toBe('')
  spool.intercept(undefined)
  const { code, stdout } = await run([file])
  expect(code).toBe(0)
  expect(stdout).toContain('3,000 calls stored')
  expect(await spool.calls('acme/killed')).toHaveLength(3000)
})

test('prices that were killed between two requests are stored once by the same command', async () => {
  const rows = Array.from({ length: 1500 }, (_, n) => `m${n},0.0000025,0.00001\n`).join('')
  writeFileSync(join(spool.folder, 'prices.csv'), `llm_id,prompt_token_cost,completion_token_cost\n${rows}`)
  const parameters = ['prices.csv', '--project', 'acme/killed-prices']
  let created = 0
  const first = start(parameters)
  spool.intercept(({ url }) => {
    if (url !== '/cost/create') return false
    created += 1
    if (created === 2) first.child.kill('SIGKILL')
    return created === 2
  })
  await first.ended
  expect(created).toBe(2)

  spool.intercept(undefined)
  const { code, stdout } = await run(parameters)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'prices.csv: 500 prices stored in acme/killed-prices, 1,000 already stored.\n',
  })
  const Count = z.object({ costs: z.number(), models: z.number() })
  const [counted] = await spool.app.store.query(
    sql`SELECT toUInt32(count()) AS costs, toUInt32(uniqExact(llm_id)) AS models
        FROM costs FINAL WHERE project_id = 'acme/killed-prices'`,
    Count,
  )
  expect(counted).toEqual({ costs: 1500, models: 1500 })
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the import at once, with one line and exit code 1', async (signal) => {
  const file = spool.writeFile(toLines(3000, 'acme/stopped'))
  // The service never responds.
  const isRequested = new Promise<void>((done) => {
    spool.intercept((request) => {
      request.resume()
      done()
      return true
    })
  })
  const { child, output, ended } = start([file])
  await isRequested
  child.kill(signal)
  child.kill(signal) // As npm does, which forwards signals.
  expect(await ended).toBe(1)
  expect(output).toEqual({
    stdout: '',
    stderr: 'The import was stopped. Run the same command again to store the rest: nothing is stored twice.\n',
  })
})

test('the administrator of the data folder is the default user, and the password is not printed', async () => {
  const folder = join(spool.folder, 'with-users')
  mkdirSync(folder)
  writeFileSync(join(folder, 'users.json'), JSON.stringify([administrator]))
  writeFileSync(join(spool.folder, 'one.jsonl'), `${JSON.stringify(createExportedCall(1, 'acme/administrator'))}\n`)
  const variables = { SPOOL_DATA: folder, SPOOL_USERNAME: '', SPOOL_PASSWORD: '' }
  const { code, stdout, stderr } = await run(['one.jsonl'], variables)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain(administrator.password)
  expect((await spool.calls('acme/administrator')).map(({ id }) => id)).toEqual([toCallId(1)])
})

test('npm run import finds files in the folder of the user', async () => {
  const folder = join(spool.folder, 'elsewhere')
  mkdirSync(folder)
  writeFileSync(join(folder, 'here.jsonl'), `${JSON.stringify(createExportedCall(1, 'acme/npm'))}\n`)
  const { code, stdout } = await run(['here.jsonl'], { npm_lifecycle_event: 'import', INIT_CWD: folder })
  expect(code).toBe(0)
  expect(stdout).toContain('here.jsonl: 1 call stored')
})
