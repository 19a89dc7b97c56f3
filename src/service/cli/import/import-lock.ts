import { readFile, rm, writeFile } from 'node:fs/promises'
import { ImportError } from './import-error'

/** Keeps a second process from importing the same file to the same place. Resolves to what lets go of it. */
export async function lockImport(path: string): Promise<() => Promise<void>> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
      return () => rm(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (attempts > 0 || isRunning(holder)) {
      throw new ImportError(
        `This file is being imported by process ${holder}. Wait for it, or stop it first. (If that is something else, remove ${path}.)`,
      )
    }
    // Its process was killed.
    await rm(path, { force: true })
  }
}

function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
