import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
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

/** Resident memory of a process now, in MB. */
export function readResidentMegabytes(processId: number): number {
  if (processId === process.pid) return process.memoryUsage.rss() / 1e6
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })) / 1000
}

/** The most that the memory of a process grows while `run` runs, in MB. */
export async function measurePeakGrowthMegabytes(processId: number, run: () => Promise<unknown>): Promise<number> {
  const before = readResidentMegabytes(processId)
  let peak = before
  const sampling = setInterval(
    () => {
      peak = Math.max(peak, readResidentMegabytes(processId))
    },
    processId === process.pid ? 2 : 100,
  )
  try {
    await run()
  } finally {
    clearInterval(sampling)
  }
  return Math.max(peak, readResidentMegabytes(processId)) - before
}
