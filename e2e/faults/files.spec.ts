import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'playwright/test'
import { SpoolClient } from '../spool-client'
import { fault } from './fault'

let folder = ''
let child: ChildProcess
let url = ''
let log = ''

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-files-'))
  const command = `ulimit -n 256 && exec "${process.execPath}" src/service/cli/spool.mjs`
  const environment = { SPOOL_PORT: '0', SPOOL_DATA: folder, SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw', SPOOL_SAMPLE: 'off' }
  const started = spawn('sh', ['-c', command], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  child = started
  started.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  for await (const line of createInterface({ input: started.stdout })) {
    url = /^Spool is ready: (http\S+)/.exec(line)?.[1] ?? url
    if (url !== '') break
  }
})
test.afterAll(async () => {
  if (child.exitCode === null) {
    child.kill()
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

fault(
  'four hundred connections to a service that may have 256 files open',
  'an open connection and new ones are served, reads and writes go on, and the log names the limit once',
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const localPorts = new Set<number | undefined>()
    const readOnOpenConnection = async () => {
      const request = get(new URL('/session', url), { agent, headers: { authorization: 'Bearer pw' } })
      const [response] = await once(request, 'response')
      localPorts.add(request.socket?.localPort)
      response.resume()
      await once(response, 'end')
      return response.statusCode
    }
    const client = new SpoolClient(url, 'me', 'pw')
    const writeCall = async (id: string) => {
      const start = { project_id: 'a/b', id, trace_id: id + id, op_name: 'answer', started_at: '2026-01-01T00:00:00Z' }
      return (await client.post('/call/start', { start: { ...start, attributes: {}, inputs: {} } })).status
    }
    expect(await readOnOpenConnection()).toBe(200)
    const idle: Socket[] = []
    for (let count = 0; count < 400; count += 1) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      idle.push(socket)
      if (count % 50 === 0) await once(socket, 'connect')
    }
    for (const id of ['1', '2', '3', '4', '5']) {
      expect(await writeCall(id.padStart(16, '0'))).toBe(200)
      expect(await readOnOpenConnection()).toBe(200)
    }
    expect(localPorts.size).toBe(1)
    expect(await client.postJson('/calls/query_stats', { project_id: 'a/b' })).toMatchObject({ count: 5 })
    for (const socket of idle) socket.destroy()
    expect(await writeCall('6'.padStart(16, '0'))).toBe(200)
    expect(log.match(/may have only 256 files open/g)).toHaveLength(1)
    expect(log).not.toContain('too many open files')
    agent.destroy()
  },
)
