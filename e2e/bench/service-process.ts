import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { SpoolService } from '../spool-service'

/** The process id of the service, a child of the launcher. */
export function findServiceProcessId(launcherId: number): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const child = lines.map((line) => line.trim().split(/\s+/).map(Number)).find(([, parentId]) => parentId === launcherId)
  if (child?.[0] === undefined) throw new Error('The service has ended.')
  return child[0]
}

/** Ends the service with SIGKILL, without a chance to clean up. */
export async function killService(service: SpoolService): Promise<void> {
  if (!service.isRunning) return
  const exited = once(service.child, 'exit')
  process.kill(findServiceProcessId(service.processId), 'SIGKILL')
  await exited
}

/** Runs `run` and returns its result. Where the service ends first, rejects with how it ended and its last lines. */
export async function whileServiceRuns<T>(service: SpoolService, run: () => Promise<T>): Promise<T> {
  const ended = once(service.child, 'close').then(() => null)
  try {
    const outcome = await Promise.race([run().then((value) => ({ value })), ended])
    if (outcome) return outcome.value
  } catch (error) {
    // Requests fail a moment before the launcher has noticed the end.
    await Promise.race([ended, wait(2000)])
    if (service.isRunning) throw error
  }
  throw new Error(service.describeEnd())
}

/** Resident memory of a process now, in MB. */
export function readResidentMegabytes(processId: number): number {
  if (processId === process.pid) return process.memoryUsage.rss() / 1e6
  const { status, stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Process ${processId} has ended.`)
  return Number(stdout) / 1000
}

/** Starts to watch the memory of a process. The result ends that and returns the peak in MB. */
export function watchPeakMegabytes(processId: number): () => number {
  let peak = readResidentMegabytes(processId)
  const sampling = setInterval(
    () => {
      try {
        peak = Math.max(peak, readResidentMegabytes(processId))
      } catch {
        // The process has ended. `whileServiceRuns` says how.
        clearInterval(sampling)
      }
    },
    processId === process.pid ? 2 : 100,
  )
  sampling.unref()
  return () => {
    clearInterval(sampling)
    return peak
  }
}

/** The most that the memory of a process grows while `run` runs, in MB. */
export async function measurePeakGrowthMegabytes(processId: number, run: () => Promise<unknown>): Promise<number> {
  const before = readResidentMegabytes(processId)
  const readPeak = watchPeakMegabytes(processId)
  try {
    await run()
  } finally {
    readPeak()
  }
  return Math.max(readPeak(), readResidentMegabytes(processId)) - before
}
