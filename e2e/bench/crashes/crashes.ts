import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SpoolClient } from '../../spool-client'
import { SpoolService } from '../../spool-service'
import { KeepAliveClient } from '../keep-alive-client'
import { median, type Measurement, report } from '../report'
import { killService } from '../service-process'
import { WrittenCalls } from './written-calls'
import type { Write, WrittenKind } from './written-kind'
import { writtenCosts, writtenFeedback, writtenFiles, writtenObjects, writtenQueues, writtenTables } from './written-resources'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/crash'
const clients = 16
const roundsBetweenChecks = 5
const maxRequestsPerRound = 120
const maxRoundMs = 6000

/**
 * Kills the service at a random moment while many clients write, or while it starts, and starts it again on the same folder,
 * round after round. Requests without a reply are sent again, as clients do. In the end everything that was acknowledged must
 * be there, once.
 */
export async function benchCrashes(folder: string, rounds: number): Promise<boolean> {
  const environment = { SPOOL_DATA: folder, SPOOL_USERNAME: username, SPOOL_PASSWORD: password, SPOOL_SAMPLE: 'off' }
  const calls = new WrittenCalls(projectId)
  const kinds: readonly WrittenKind[] = [
    calls,
    ...[writtenCosts, writtenQueues, writtenFeedback, writtenObjects, writtenTables, writtenFiles].map((kind) => kind(projectId)),
  ]
  const kindByWeight = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
  /** Sent, but the connection broke before the reply. */
  let unanswered: Write[] = []
  const startMs: number[] = []
  let missingTurns = 0
  let acknowledgedRequests = 0
  let unansweredRequests = 0
  let killsDuringStart = 0

  const start = async () => {
    const startedAt = performance.now()
    const service = await SpoolService.start(environment)
    startMs.push(performance.now() - startedAt)
    return service
  }
  const send = async (client: KeepAliveClient, write: Write) => {
    const { status, text } = await client.post(write.path, write.body, write.contentType, write.headers)
    if (status !== 200) throw new Error(`${write.path} was answered with ${status}: ${text.slice(0, 300)}`)
    acknowledgedRequests += 1
    write.acknowledge(text)
  }
  /** Waits for so many more acknowledgements: a time alone is over before the first where the machine is slow. */
  const waitForRequests = async (count: number) => {
    const target = acknowledgedRequests + count
    const startedAt = performance.now()
    const isOver = () => acknowledgedRequests >= target || performance.now() - startedAt > maxRoundMs
    while (!isOver()) await wait(5)
    await wait(Math.random() * 50)
  }
  const next = () => {
    const kind = kindByWeight[Math.floor(Math.random() * kindByWeight.length)] ?? calls
    return kind.next()
  }

  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && Math.random() < 0.5) {
      killsDuringStart += 1
      await killDuringStart(environment, Math.random() * (round % 2 === 0 ? 600 : median(startMs) * 1.2))
    }
    const service = await start()
    const client = new KeepAliveClient(service.url, authorization, clients)
    if (round % roundsBetweenChecks === 0) {
      missingTurns += await calls.countMissingTurns(new SpoolClient(service.url, username, password))
    }
    const killing = new AbortController()
    const resend = unanswered
    unanswered = []
    const runClient = async () => {
      while (!killing.signal.aborted) {
        const write = resend.pop() ?? next()
        try {
          await send(client, write)
        } catch (error) {
          if (!killing.signal.aborted) throw error
          unansweredRequests += 1
          if (write.isRepeatable) unanswered.push(write)
        }
      }
    }
    const writing = Promise.all(Array.from({ length: clients }, runClient))
    // An error before the kill fails the bench at once.
    try {
      await Promise.race([waitForRequests(Math.random() * maxRequestsPerRound), writing])
    } finally {
      killing.abort()
      await killService(service)
    }
    await writing
    unanswered.push(...resend)
    client.close()
  }

  const service = await start()
  try {
    const client = new KeepAliveClient(service.url, authorization, clients)
    for (const write of unanswered) await send(client, write)
    client.close()
    const figures: Measurement[] = [
      { name: 'kills under load', value: rounds, unit: '' },
      { name: 'kills during a start', value: killsDuringStart, unit: '' },
      { name: 'requests acknowledged', value: acknowledgedRequests, unit: '' },
      { name: 'requests without a reply', value: unansweredRequests, unit: '' },
      { name: 'acknowledged turns missing after a start', value: missingTurns, unit: '', target: { max: 0 } },
    ]
    for (const kind of kinds) {
      const { missing, wrong } = await kind.check(new SpoolClient(service.url, username, password))
      figures.push(
        { name: `${kind.name} acknowledged`, value: kind.count(), unit: '' },
        { name: '  missing', value: missing, unit: '', target: { max: 0 } },
        { name: '  twice, wrong or not deleted', value: wrong, unit: '', target: { max: 0 } },
      )
    }
    figures.push(
      { name: 'start after a crash, median', value: median(startMs.slice(1)), unit: 'ms' },
      { name: 'start after a crash, max', value: Math.max(...startMs.slice(1)), unit: 'ms' },
    )
    return report(`kill -9 under load by ${clients} clients`, figures)
  } finally {
    await service.stop()
  }
}

const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Starts the built service and kills it after `delayMs`, wherever it is by then. */
async function killDuringStart(environment: Readonly<Record<string, string>>, delayMs: number): Promise<void> {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/service/main.js')], {
    env: { ...process.env, SPOOL_PORT: '0', ...environment },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  await wait(delayMs)
  child.kill('SIGKILL')
  await exited
}
