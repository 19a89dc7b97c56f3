import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as requestHttp } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { basic } from './testing/test-app'

// The service as users run it: built, in its own process.

const root = resolve(import.meta.dirname, '../..')
const build = join(root, '.cache', `main-test-${process.pid}`) // inside the project, where its packages are found
const folders: string[] = []
const children: ChildProcess[] = []

beforeAll(() => {
  mkdirSync(join(build, 'dashboard'), { recursive: true })
  copyFileSync(join(root, 'index.html'), join(build, 'dashboard/index.html'))
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--ssr', '--outDir', join(build, 'service'), '--logLevel', 'warn'],
    // Vitest sets NODE_ENV to 'test', which would change the build.
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  )
  expect(status, stderr).toBe(0)
}, 60_000)
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => {
  for (const folder of [...folders, build]) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'spool-main-'))
  folders.push(parent)
  return join(parent, 'data')
}

function start(environment: Record<string, string>) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SPOOL_')))
  const child = spawn(process.execPath, [join(build, 'service/main.js')], {
    env: { ...inherited, UV_THREADPOOL_SIZE: '24', SPOOL_PORT: '0', SPOOL_SAMPLE: 'off', ...environment },
  })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = new Promise<number | null>((done) => {
    child.on('close', done)
  })
  const ready = async () => {
    await expect.poll(() => output.stdout, { timeout: 50_000, message: output.stderr }).toMatch(/^Spool is ready: /m)
    return /^Spool is ready: (\S+)$/m.exec(output.stdout)?.[1] ?? ''
  }
  return { child, output, ended, ready }
}

describe('the first start', () => {
  test('creates an administrator, and its link signs in once', async () => {
    const folder = newFolder()
    const first = start({ SPOOL_DATA: folder, SPOOL_SAMPLE: 'on' })
    const url = await first.ready()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    // Not one line of the log among those for people.
    expect(first.output.stderr).toBe('')
    const password = /Administrator: admin, password: (\S+) /.exec(first.output.stdout)?.[1] ?? ''
    const code = new RegExp(`${url}/#code=(\\S+)`).exec(first.output.stdout)?.[1]
    expect(password.length).toBeGreaterThan(21)
    const redeem = () =>
      fetch(`${url}/session/redeem`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      })
    expect(await (await redeem()).json()).toEqual({ username: 'admin', project_id: 'sample/support-bot' })
    expect((await redeem()).status).toBe(403)

    const authorization = `Bearer ${password}`
    const projects = await fetch(`${url}/projects`, { headers: { authorization } })
    expect(await projects.json()).toEqual({ projects: ['sample/support-bot'] })
    const threads = await fetch(`${url}/threads/stream_query`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"project_id":"sample/support-bot"}',
    })
    expect((await threads.text()).split('\n').length).toBeGreaterThan(10)

    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(first.output.stdout.match(/^Spool is ready/gm)).toHaveLength(1)

    const second = start({ SPOOL_DATA: folder, SPOOL_SAMPLE: 'on', SPOOL_LOG_LEVEL: 'debug' })
    const nextUrl = await second.ready()
    expect(second.output.stdout).not.toContain(password)
    expect(second.output.stdout).toContain(`Administrator: admin, password in ${folder}/users.json\n`)
    expect((await fetch(`${nextUrl}/projects`, { headers: { authorization } })).status).toBe(200)
    expect(second.output.stderr).toContain('"writtenCount":0')
  }, 60_000)

  test('creates no administrator if the environment names one', async () => {
    const service = start({ SPOOL_DATA: newFolder(), SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'mine: é' })
    const url = await service.ready()
    expect(service.output.stdout.trim()).toBe(`Spool is ready: ${url}`)
    const authorization = basic({ username: 'me', password: 'mine: é' })
    expect(await (await fetch(`${url}/projects`, { headers: { authorization } })).json()).toEqual({ projects: [] })
  })
})

test('warns of a variable that it does not know, in one line, and starts', async () => {
  const service = start({ SPOOL_DATA: newFolder(), SPOOL_ORIGIN: 'https://tools.example' })
  await service.ready()
  const lines = service.output.stderr.trim().split('\n')
  const warning = { level: 40, msg: expect.stringContaining('Ignored: SPOOL_ORIGIN.') as unknown }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([expect.objectContaining(warning)])
})

describe('a failed start prints one line and exits with 1', () => {
  async function failure(environment: Record<string, string>): Promise<string> {
    const { ended, output } = start(environment)
    expect(await ended).toBe(1)
    expect(output.stdout).toBe('')
    const lines = output.stderr.split('\n').filter((line) => line.startsWith('Spool cannot start: '))
    expect(lines, output.stderr).toHaveLength(1)
    return output.stderr.trim().split('\n').at(-1) ?? ''
  }

  test('for an invalid variable', async () => {
    expect(await failure({ SPOOL_PORT: 'high' })).toBe('Spool cannot start: SPOOL_PORT must be a whole number from 0 to 65535.')
    expect(await failure({ SPOOL_USERNAME: 'me', SPOOL_DATA: newFolder() })).toContain('SPOOL_PASSWORD is not')
  })

  test('for a taken port', async () => {
    const server = createServer()
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done)
    })
    const { port } = server.address() as AddressInfo // a server on a port has an address object
    expect(await failure({ SPOOL_PORT: String(port), SPOOL_DATA: newFolder() })).toContain(`Port ${port} on 127.0.0.1 is taken`)
    server.close()
  })

  test('for a folder that another service has open', async () => {
    const folder = newFolder()
    await start({ SPOOL_DATA: folder }).ready()
    expect(await failure({ SPOOL_DATA: folder })).toContain(`The data folder ${folder} is in use`)
  })

  test('for an invalid users.json, a folder that cannot be created, a store that cannot be reached', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'users.json'), '{}')
    expect(await failure({ SPOOL_DATA: folder })).toContain('users.json is not a list of users')
    expect(readdirSync(folder)).toEqual(['users.json'])
    expect(await failure({ SPOOL_DATA: join(folder, 'users.json', 'x') })).toContain('cannot be created')
    const unreachable = await failure({ SPOOL_DATA: newFolder(), SPOOL_STORE: 'http://me:secret@127.0.0.1:9/db' })
    expect(unreachable).toMatch(/Spool cannot start: .*127\.0\.0\.1:9/)
    expect(unreachable).not.toContain('secret')
  })
})

test('responds to a health check in HTTP/1.0 without a Host header', async () => {
  const url = await start({ SPOOL_DATA: newFolder() }).ready()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('GET /health HTTP/1.0\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\n{"status":"ok"}$/)
})

test('SIGTERM lets a running request finish and accepts no other', async () => {
  const service = start({ SPOOL_DATA: newFolder(), SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw' })
  const url = await service.ready()
  const body = JSON.stringify({ project_id: 'a/b', name: 'late', scorer_refs: [] })
  const responded = new Promise<[number | undefined, string]>((done, fail) => {
    const outgoing = requestHttp(`${url}/annotation_queues`, {
      method: 'POST',
      headers: { authorization: 'Bearer pw', 'content-length': body.length },
    })
    outgoing.on('error', fail)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
      incoming.on('end', () => done([incoming.statusCode, text]))
    })
    outgoing.write(body.slice(0, 10))
    setTimeout(() => service.child.kill('SIGTERM'), 200)
    setTimeout(() => outgoing.end(body.slice(10)), 700)
  })
  await new Promise((done) => {
    setTimeout(done, 500)
  })
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  expect(await responded).toEqual([200, expect.stringContaining('"id"')])
  expect(await service.ended).toBe(0)
})

test('SIGTERM under load loses no acknowledged call', async () => {
  const environment = { SPOOL_DATA: newFolder(), SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw' }
  const service = start(environment)
  const url = await service.ready()
  const post = (base: string, path: string, body: object) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer pw', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  let acknowledged = 0
  const write = async (client: number) => {
    for (let index = 0; ; index += 1) {
      const id = (client * 100_000 + index).toString(16).padStart(16, '0')
      const ids = { project_id: 'a/b', id, trace_id: id + id, turn_id: id, thread_id: `t${client}` }
      const call = { ...ids, op_name: 'answer', started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: {} }
      const response = await post(url, '/call/start', { start: call }).catch(() => undefined)
      if (response?.status !== 200) return
      acknowledged += 1
      if (acknowledged === 100) service.child.kill('SIGTERM')
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, client) => write(client)))
  expect(await service.ended).toBe(0)
  expect(acknowledged).toBeGreaterThanOrEqual(100)
  const again = await start(environment).ready()
  const lines = (await (await post(again, '/threads/stream_query', { project_id: 'a/b' })).text()).trim().split('\n')
  const counts = lines.map((line) => (JSON.parse(line) as { turn_count: number }).turn_count)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(acknowledged)
})

test('with an upstream it serves the dashboard, forwards requests and opens no store', async () => {
  const upstream = start({ SPOOL_DATA: newFolder(), SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw' })
  const folder = newFolder()
  const front = start({ SPOOL_DATA: folder, SPOOL_UPSTREAM: await upstream.ready() })
  const url = await front.ready()
  const response = await fetch(`${url}/cost/query`, {
    method: 'POST',
    headers: { authorization: 'Bearer pw', 'content-type': 'application/json' },
    body: '{"project_id":"a/b","limit":1}',
  })
  expect(((await response.json()) as { results: unknown[] }).results).toHaveLength(1)
  expect(await (await fetch(url)).text()).toContain('<div id="root">')
  front.child.kill('SIGTERM')
  expect(await front.ended).toBe(0)
  expect(() => rmSync(folder)).toThrow(/ENOENT/)
})
