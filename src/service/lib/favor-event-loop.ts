import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** A thread of niceness 10 gets a tenth of the time of one of niceness 0 (the kernel's weights 110 and 1024), where both want it. */
const niceness = 10
const repeatMs = 200

/**
 * Puts all other threads of this process behind the event loop. It has little to do, but everybody waits for it: where the
 * engine takes all processors, it would wait for its turn with each of the engine's threads. It is repeated, because the
 * engine resets a thread after a scan (`scanSettings`). Linux only, where each thread has a priority. Where the system does
 * not allow it, `onRefused` is called once.
 */
export function favorEventLoop(onRefused: (error: unknown) => void): void {
  if (process.platform !== 'linux') return
  // V8 hands parts of each short garbage collection to helper threads. They are behind now, and the event loop would wait for them.
  setFlagsFromString('--no-parallel-scavenge')
  const tryToLower = () => {
    try {
      lowerOthers()
    } catch (error) {
      clearInterval(timer)
      onRefused(error)
    }
  }
  const timer = setInterval(tryToLower, repeatMs).unref()
  tryToLower()
}

function lowerOthers(): void {
  for (const name of readdirSync('/proc/self/task')) {
    const thread = Number(name)
    if (thread !== process.pid) lower(thread)
  }
}

function lower(thread: number): void {
  try {
    if (getPriority(thread) < niceness) setPriority(thread, niceness)
  } catch (error) {
    const hasEnded = error instanceof Error && 'info' in error && (error.info as { code?: unknown }).code === 'ESRCH'
    if (!hasEnded) throw error
  }
}
