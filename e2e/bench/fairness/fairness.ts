import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SpoolClient } from '../../spool-client'
import { SpoolService } from '../../spool-service'
import { LagMeter, type Lag } from '../lag-meter'
import { findServiceProcessId, killService, watchPeakMegabytes } from '../service-process'
import { buildCall, longThreadId } from './attack-data'
import { Attacker } from './attacker'
import { type Attack, attacks } from './attacks'
import { Bystander } from './bystander-process'
import type { Measured } from './bystander-messages'
import { formatHeader, formatRow, isWithinTargets } from './fairness-table'

const attackMs = 10_000
const longThreadTurns = 300_000
const maxCalmMs = 120_000

const eve = { username: 'eve', password: 'a password for the attacker' }
const kim = { username: 'kim', password: 'a password for the bystander', projects: ['kim/support'] }
const attackedProject = 'eve/attacked'

/** What one attack did to others. */
export type Effect = {
  name: string
  /** Another user, in another project. */
  otherUser: Measured
  /** The attacker, in another project. */
  otherProject: Measured
  /** Null where the event loop was blocked for a minute, or the service ended. */
  lag: Lag | null
  peakMegabytes: number
  /** From the end of the attack until both projects were read within a second. Null after two minutes. */
  calmMs: number | null
  hasServiceEnded: boolean
  replies: ReadonlyMap<string, number>
}

/**
 * Attacks the service of a built checkout as one user, in one way after the other, and measures what another user and another
 * project of the attacker notice. Prints a row for each attack.
 */
export async function benchFairness(folder: string, checkout: string, filter: string): Promise<boolean> {
  const chosen = attacks.filter(({ name }) => name.includes(filter))
  if (chosen.length === 0)
    throw new Error(`No attack is named like '${filter}'. There are:\n${attacks.map(({ name }) => `  ${name}`).join('\n')}`)
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'users.json'), JSON.stringify([kim]), { mode: 0o600 })
  const lagMeter = new LagMeter()
  const start = (port = '0') => {
    const environment = {
      SPOOL_DATA: folder,
      SPOOL_PORT: port,
      SPOOL_USERNAME: eve.username,
      SPOOL_PASSWORD: eve.password,
      SPOOL_SAMPLE: 'off',
      ...lagMeter.environment,
    }
    return SpoolService.start(environment, 'start', checkout)
  }
  let service = await start()
  const { url } = service
  const clients = [new SpoolClient(url, kim.username, kim.password), new SpoolClient(url, eve.username, eve.password)] as const
  const bystanders: Bystander[] = []
  try {
    console.log(`\nWhat others notice during an attack, ${checkout}, load average ${loadavg()[0]?.toFixed(1)}`)
    await writeLongThread(clients[1])
    for (const [projectId, { authorization }] of [
      ['kim/support', clients[0]],
      ['eve/other', clients[1]],
    ] as const) {
      bystanders.push(await Bystander.start({ url, authorization, projectId }))
    }
    const [otherUser, otherProject] = bystanders
    if (!otherUser || !otherProject) throw new Error('There must be two bystanders.')
    await waitForCalm(clients)

    let quiet: Effect | undefined
    const measure = async ({ name, run }: Attack): Promise<Effect> => {
      const processId = findServiceProcessId(service.processId)
      const attacker = new Attacker(url, clients[1].authorization, attackedProject)
      await lagMeter.read(processId)
      const readPeak = watchPeakMegabytes(processId)
      for (const bystander of bystanders) bystander.begin()
      const attacking = run(attacker)
      await wait(attackMs)
      attacker.end()
      const endedAt = performance.now()
      const [user, project] = await Promise.all([otherUser.end(), otherProject.end()])
      await attacking
      const peakMegabytes = readPeak()
      const lag = service.isRunning ? await lagMeter.read(processId) : null
      const isCalm = service.isRunning && (await waitForCalm(clients))
      const effect = {
        name,
        otherUser: user,
        otherProject: project,
        lag,
        peakMegabytes,
        calmMs: isCalm ? performance.now() - endedAt : null,
        hasServiceEnded: !service.isRunning,
        replies: attacker.replies,
      }
      console.log(formatRow(effect, quiet ?? effect))
      if (!service.isRunning) {
        console.log(service.describeEnd())
        service = await start(new URL(url).port)
      }
      return effect
    }
    /** Returns how long it took until the other user was served. Null after two minutes. */
    const restart = async () => {
      await killService(service)
      const startedAt = performance.now()
      const starting = start(new URL(url).port)
      const isServed = await waitForCalm(clients.slice(0, 1))
      const ms = performance.now() - startedAt
      service = await starting
      return isServed ? ms : null
    }

    console.log(formatHeader())
    quiet = await measure({ name: 'nothing', run: (attacker) => attacker.repeat(1, () => wait(100)) })
    let areTargetsMet = true
    for (const attack of chosen) {
      const effect = await measure(attack)
      areTargetsMet &&= isWithinTargets(effect, quiet)
    }
    const restartMs = await restart()
    console.log(
      `After kill -9 and a restart, the other user is served after ${restartMs === null ? 'more than two minutes' : `${(restartMs / 1000).toFixed(1)} s`}.`,
    )
    console.log(`Load average ${loadavg()[0]?.toFixed(1)}.`)
    return areTargetsMet && restartMs !== null
  } finally {
    for (const bystander of bystanders) bystander.close()
    await killService(service)
    lagMeter.close()
  }
}

/** The project whose calls are scanned, and the thread that grows without end. */
async function writeLongThread(client: SpoolClient): Promise<void> {
  let written = 0
  const writer = async () => {
    while (written < longThreadTurns) {
      const first = written
      written += 1000
      const batch = Array.from({ length: 1000 }, (_, index) => {
        return buildCall(attackedProject, (first + index).toString(16).padStart(16, '0'), longThreadId)
      })
      await client.postJson(`/v2/${attackedProject}/calls/complete`, { batch })
    }
  }
  await Promise.all([writer(), writer()])
}

/** Waits until each client gets a page of its threads within a second. Returns whether that happened within a minute. */
async function waitForCalm(clients: readonly SpoolClient[]): Promise<boolean> {
  const startedAt = performance.now()
  const isServed = async (client: SpoolClient) => {
    const sentAt = performance.now()
    const projectId = client.username === kim.username ? 'kim/support' : 'eve/other'
    const signal = AbortSignal.timeout(5000)
    const response = await client
      .post('/threads/stream_query', { project_id: projectId, limit: 50 }, {}, signal)
      .catch(() => null)
    await response?.text().catch(() => '')
    return response?.status === 200 && performance.now() - sentAt < 1000
  }
  while (performance.now() - startedAt < maxCalmMs) {
    const areServed = await Promise.all(clients.map(isServed))
    if (areServed.every(Boolean)) return true
    await wait(200)
  }
  return false
}
