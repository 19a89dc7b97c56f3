// Builds what is missing or older than its sources. Of commands that start at once in one checkout one builds, the others wait.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const lockPath = join(root, 'dist/build.lock')
/** The builder renews the lock each second. Process ids do not tell whether it lives: they differ between containers. */
const renewMs = 1000
const maxLockAgeMs = 10_000
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']

/**
 * Resolves when all `outputs` are newer than all `sources`; each of `builds` is a list of parameters for Vite. Ends the
 * process with exit code 1 if a build fails, and with 0 on a signal.
 */
export async function buildOnce({ outputs, sources, builds }) {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of signals) process.on(signal, stop)
  while (!stopping.signal.aborted) {
    if (readLockAge() === undefined && isUpToDate(outputs, sources)) {
      for (const signal of signals) process.off(signal, stop)
      return
    }
    const lock = await acquireLock()
    if (!lock) await wait(100)
    // Another one may have built it between the two looks. After an interrupted build, new files prove nothing.
    else if (!lock.isOfInterruptedBuild && isUpToDate(outputs, sources)) rmSync(lockPath, { force: true })
    else await buildAll(builds, stopping.signal)
  }
  process.exit()
}

async function buildAll(builds, signal) {
  const renewal = setInterval(() => setLockTime(new Date()), renewMs)
  for (const parameters of builds) {
    const status = await runVite(parameters, signal)
    if (status === 0 && !signal.aborted) continue
    // The lock stays, as of an interrupted build: its files may be incomplete.
    setLockTime(new Date(0))
    if (signal.aborted) process.exit()
    console.error('Spool cannot start: the build failed.')
    process.exit(1)
  }
  clearInterval(renewal)
  rmSync(lockPath, { force: true })
}

/** Resolves to the exit code. Aborting `signal` ends it. */
async function runVite(parameters, signal) {
  if (signal.aborted) return 0
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // Standard output is only for the output of the command.
  const child = spawn(process.execPath, [vite, 'build', ...parameters, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop, { once: true })
  const [status] = await once(child, 'exit')
  signal.removeEventListener('abort', stop)
  return status
}

/** Resolves to undefined while another command builds. */
async function acquireLock() {
  const token = randomUUID()
  const age = readLockAge()
  if (age !== undefined && age < maxLockAgeMs) return undefined
  mkdirSync(dirname(lockPath), { recursive: true })
  try {
    writeFileSync(lockPath, token, { flag: age === undefined ? 'wx' : 'w' })
  } catch (error) {
    if (error.code === 'EEXIST') return undefined
    throw error
  }
  // Of several that take over an interrupted build, the last one has it.
  if (age !== undefined) await wait(200)
  return readLock() === token ? { isOfInterruptedBuild: age !== undefined } : undefined
}

function readLock() {
  try {
    return readFileSync(lockPath, 'utf8')
  } catch {
    return undefined // released, or taken over and released
  }
}

/** In milliseconds; undefined where nobody builds. */
function readLockAge() {
  const stat = statSync(lockPath, { throwIfNoEntry: false })
  return stat && Date.now() - stat.mtimeMs
}

function setLockTime(time) {
  try {
    utimesSync(lockPath, time, time)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error // `dist` was deleted meanwhile
  }
}

function isUpToDate(outputs, sources) {
  const sourceTime = Math.max(...sources.map((path) => readModifiedTime(join(root, path))))
  return outputs.every((path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    return stat !== undefined && stat.mtimeMs >= sourceTime
  })
}

/** When a file, or the newest file of a folder, was modified. Tests do not count, and neither do missing files. */
function readModifiedTime(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || /\.test\.tsx?$/.test(path)) return 0
  return stat.isDirectory() ? Math.max(0, ...readdirSync(path).map((entry) => readModifiedTime(join(path, entry)))) : stat.mtimeMs
}
