import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

const sampleMs = 250
/** Of what all processors can do. Beyond it, work that can wait slows down the work of others. */
const maxLoad = 0.5

type WaitOptions = {
  maxMs: number
  signal: AbortSignal
  /** The processor time that this process has used since its start, in microseconds. */
  readUsage?: () => number
}

/** Resolves as soon as this process has used less than half of the processors for a moment, at the latest after `maxMs`. */
export async function waitWhileBusy({ maxMs, signal, readUsage = readProcessUsage }: WaitOptions): Promise<void> {
  const startMs = performance.now()
  while (!signal.aborted && performance.now() - startMs < maxMs) {
    const usage = readUsage()
    const sampleStartMs = performance.now()
    await wait(sampleMs, undefined, { ref: false, signal }).catch(() => undefined)
    const possible = (performance.now() - sampleStartMs) * 1000 * availableParallelism()
    if (readUsage() - usage <= possible * maxLoad) return
  }
}

function readProcessUsage(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
