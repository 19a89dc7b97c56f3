import { execFileSync } from 'node:child_process'

/** The process that serves, which the launcher has started. */
export function servingProcessId(launcherId: number): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const child = lines.map((line) => line.trim().split(/\s+/).map(Number)).find(([, parentId]) => parentId === launcherId)
  if (child?.[0] === undefined) throw new Error('The service has ended.')
  return child[0]
}

/** What a process holds in memory now. */
export function residentMegabytes(processId: number): number {
  if (processId === process.pid) return process.memoryUsage.rss() / 1e6
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })) / 1000
}

/** By how much the memory of a process grows at most while something runs. */
export async function peakGrowthMegabytes(processId: number, run: () => Promise<unknown>): Promise<number> {
  const before = residentMegabytes(processId)
  let peak = before
  const sampling = setInterval(
    () => {
      peak = Math.max(peak, residentMegabytes(processId))
    },
    processId === process.pid ? 2 : 100,
  )
  try {
    await run()
  } finally {
    clearInterval(sampling)
  }
  return Math.max(peak, residentMegabytes(processId)) - before
}
