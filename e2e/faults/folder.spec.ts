import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

test.describe.configure({ mode: 'parallel' })

const settings = { SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw', SPOOL_SAMPLE: 'off' }
let parent = ''
let folder = ''
let running: SpoolService[] = []
const mounted: string[] = []

test.beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'spool-folder-'))
  folder = join(parent, 'data')
  running = []
})
test.afterEach(async () => {
  for (const service of running) await service.stop()
  for (const place of mounted.splice(0)) spawnSync('umount', ['-l', place])
  rmSync(parent, { recursive: true, force: true, maxRetries: 10 })
})

async function start(identity: { uid?: number; gid?: number } = {}) {
  const service = await SpoolService.start({ SPOOL_DATA: folder, ...settings }, 'start', process.cwd(), identity)
  running.push(service)
  const log: string[] = []
  service.child.stderr?.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  const client = new SpoolClient(service.url, 'me', 'pw')
  return { service, client, readLog: () => log.join('') }
}

/** Starts the command, which is expected to fail, and returns what it wrote to standard error. */
function failToStart(environment: Record<string, string> = {}, identity: { uid?: number; gid?: number } = {}): string {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['src/service/cli/spool.mjs'], {
    ...identity,
    env: { ...process.env, SPOOL_PORT: '0', SPOOL_DATA: folder, ...settings, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).not.toMatch(/^ +at /m)
  const lines = stderr.split('\n').filter((line) => line.startsWith('Spool cannot start: '))
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

let callCount = 0
function startCall() {
  const id = (callCount += 1).toString(16).padStart(16, '0')
  const ids = { project_id: 'a/b', id, trace_id: id + id, turn_id: id, thread_id: 't' }
  return { start: { ...ids, op_name: 'answer', started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: { q: 'x' } } }
}

async function expectRefused(client: SpoolClient, url: string, text: string) {
  const responses = [
    await client.post('/call/start', startCall()),
    await client.post('/calls/query_stats', { project_id: 'a/b' }),
    await fetch(`${url}/health`),
  ]
  for (const response of responses) {
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toEqual({ detail: [{ loc: [], msg: expect.stringContaining(text), type: 'unavailable' }] })
  }
}
const gone = 'The data folder of this service is gone.'

fault(
  'the data folder is deleted while the service runs',
  'nothing more is acknowledged: every operation is a clear 503',
  async () => {
    const { client, service, readLog } = await start()
    await client.postJson('/call/start', startCall())
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    await expectRefused(client, service.url, gone)
    await expectRefused(client, service.url, gone)
    expect(readLog().match(/Nothing is read or stored\. Put it back/g)).toHaveLength(1)
    expect(existsSync(folder)).toBe(false)
    expect(await service.stop()).toBe(0)
  },
)

fault(
  'an empty folder takes the place of the data folder, as when its disk is unmounted',
  'nothing more is acknowledged; after a restart with the folder back, all acknowledged calls are there',
  async () => {
    const { client, service, readLog } = await start()
    await client.postJson('/call/start', startCall())
    const elsewhere = join(parent, 'elsewhere')
    renameSync(folder, elsewhere)
    mkdirSync(folder)
    await expectRefused(client, service.url, gone)
    rmSync(folder, { recursive: true, maxRetries: 10 })
    renameSync(elsewhere, folder)
    await expect.poll(readLog, { timeout: 20_000 }).toContain('is back. Restart Spool to use it.')
    await expectRefused(client, service.url, gone)
    expect(await service.stop()).toBe(0)
    const again = await start()
    expect(await again.client.postJson('/calls/query_stats', { project_id: 'a/b' })).toMatchObject({ count: 1 })
  },
)

fault('a start where only the store of the data folder is missing', 'it is refused: no empty store takes its place', async () => {
  const { service } = await start()
  await service.stop()
  renameSync(join(folder, 'store'), join(parent, 'store'))
  expect(failToStart()).toContain('is empty or missing. Mount or restore it.')
  mkdirSync(join(folder, 'store')) // the mount point
  expect(failToStart()).toContain('is empty or missing. Mount or restore it.')
  expect(readdirSync(join(folder, 'store'))).toEqual([])
})

fault(
  'a data folder that is a file, that leads nowhere, or that is in use',
  'the start fails with one line that says so',
  async () => {
    writeFileSync(join(parent, 'file'), '')
    expect(failToStart({ SPOOL_DATA: join(parent, 'file') })).toMatch(/\/file (cannot be created|is not a folder)/)
    symlinkSync(join(parent, 'nowhere', 'deeper'), join(parent, 'link'))
    expect(failToStart({ SPOOL_DATA: join(parent, 'link') })).toContain('/link cannot be created')
    await start()
    expect(failToStart()).toContain(`The data folder ${folder} is in use by another Spool`)
  },
)

fault('users.json is half-written', 'the start fails with one line that says so', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'users.json'), '[{"username":"admin","passw')
  chmodSync(join(folder, 'users.json'), 0o600)
  expect(failToStart()).toContain('users.json is not a list of users')
})

// Root may read and write everything, so as root the service runs as nobody: where nobody may read the checkout.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const canServeAsNobody = spawnSync(process.execPath, ['src/service/cli/spool.mjs', '--help'], nobody).status === 0
if (canServeAsNobody) {
  fault('a data folder of another user', 'the start fails with one line that says what this user may not do', async () => {
    chmodSync(parent, 0o755)
    mkdirSync(folder, { mode: 0o500 }) // of root, or read-only where the test is not root
    expect(failToStart({}, nobody)).toContain(`The data folder ${folder} cannot be written: EACCES`)
    mkdirSync(join(parent, 'closed'), { mode: 0o100 })
    expect(failToStart({ SPOOL_DATA: join(parent, 'closed', 'data') }, nobody)).toContain('cannot be created: EACCES')
  })

  fault(
    'the permissions of the data folder are taken away while the service runs',
    'every operation is a clear 503',
    async () => {
      chmodSync(parent, 0o755)
      mkdirSync(folder, { mode: 0o700 })
      if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
      const { client, service, readLog } = await start(nobody)
      await client.postJson('/call/start', startCall())
      chmodSync(folder, 0)
      await expectRefused(client, service.url, gone)
      expect(readLog().match(/Nothing is read or stored\. Put it back/g)).toHaveLength(1)
      chmodSync(folder, 0o700)
      expect(await service.stop()).toBe(0)
      const again = await start(nobody)
      expect(await again.client.postJson('/calls/query_stats', { project_id: 'a/b' })).toMatchObject({ count: 1 })
    },
  )
}

// Only a process that may mount can have a small disk of its own; elsewhere folder-guard.test.ts covers it with a double.
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (canMount) {
  const mountDisk = (size: string) => {
    mkdirSync(folder)
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status).toBe(0)
    mounted.push(folder)
  }

  fault('the disk is full', 'writes are refused with a clear 503, reads go on; it recovers by itself', async () => {
    mountDisk('40m')
    const { client, service, readLog } = await start()
    await client.postJson('/call/start', startCall())
    await client.postLines('/threads/stream_query', { project_id: 'a/b' }) // waits until all is derived
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'fill')}`, 'bs=64k'])
    const refused = await client.post('/call/start', startCall())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await refused.text()).toContain('The disk of this service is full. Nothing of this request is stored or read.')
    await client.post('/call/start', startCall())
    expect(await client.postJson('/calls/query_stats', { project_id: 'a/b' })).toMatchObject({ count: 1 })
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    expect(readLog().match(/nothing can be stored: the disk is full/g)).toHaveLength(1)
    rmSync(join(folder, 'fill'))
    await expect.poll(async () => (await client.post('/call/start', startCall())).status, { timeout: 20_000 }).toBe(200)
    expect(await client.postJson('/calls/query_stats', { project_id: 'a/b' })).toMatchObject({ count: 2 })
    expect(readLog()).toContain('the data folder can be written again')
  })

  fault('a start on a full disk', 'it fails with one line that says what is full', async () => {
    mountDisk('2m')
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'fill')}`, 'bs=64k'])
    expect(failToStart()).toContain(`The disk of the data folder ${folder} is full (0 bytes free).`)
  })

  fault('the disk of the data folder is unmounted while the service runs', 'nothing more is acknowledged', async () => {
    mountDisk('60m')
    const { client, service } = await start()
    await client.postJson('/call/start', startCall())
    expect(spawnSync('umount', ['-l', folder]).status).toBe(0)
    mounted.pop()
    await expectRefused(client, service.url, gone)
  })
}
