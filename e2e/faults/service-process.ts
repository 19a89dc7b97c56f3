import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The exit code of a process, or the signal that ended it. Waits for its end. */
export async function exitOf(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode ?? child.exitCode
}

/** The process that has the store of a data folder open; the engine writes its id into the file that it locks. */
export function readServiceProcessId(dataFolder: string): number {
  const text = readFileSync(join(dataFolder, 'store/status'), 'utf8')
  return Number(/^PID: (\d+)/m.exec(text)?.[1])
}

export function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}
