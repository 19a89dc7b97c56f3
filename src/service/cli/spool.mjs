#!/usr/bin/env node
// The command `spool`: builds what is missing or older than its sources, then runs the built program.
import { spawn } from 'node:child_process'
import { constants, cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildOnce } from './build-once.mjs'

const mebibyte = 1024 * 1024

/** After the nine seconds of the service itself, and before Docker kills the whole container after ten. */
const maxShutdownMs = 9500

/**
 * The launcher asks the service every ten seconds whether it is alive. After so many questions without an answer it kills the
 * service. A process that has run out of memory may not end by itself: it hangs in the engine, and a service manager starts nothing
 * new before it has ended.
 */
const maxUnanswered = 6
const questionMs = 10_000

/** What ends the service in good order. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP']

const root = fileURLToPath(new URL('../../..', import.meta.url))

const commands = {
  start: { description: 'starts the service (the default)', run: start },
  dev: { description: 'starts the service for development, which reloads changed sources', run: startForDevelopment },
  import: { description: 'stores calls, traces or prices of files in a running Spool', run: runImport },
}

const [name = 'start', ...parameters] = process.argv.slice(2)
if (name === '--help' || name === '-h') console.log(help())
else if (Object.hasOwn(commands, name)) await commands[name].run(parameters)
else {
  console.error(`There is no command '${name}'.\n\n${help()}`)
  process.exitCode = 1
}

function help() {
  const lines = Object.entries(commands).map(([each, { description }]) => `  ${each.padEnd(8)}${description}`)
  return `Usage: spool [command]\n\n${lines.join('\n')}\n\nspool import --help explains the import.`
}

async function start() {
  await buildOnce({
    outputs: ['dist/dashboard/index.html', 'dist/service/main.js', 'dist/service/worker.js', 'dist/service/engine-worker.js'],
    sources: ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'],
    builds: [[], ['--ssr']],
  })
  const child = runService('dist/service/main.js')
  killWhenSilent(child)
}

function startForDevelopment() {
  runService('src/service/dev.mjs')
}

/** The import has a build of its own, so that it never replaces the files of a running service. */
async function runImport(importParameters) {
  const built = 'dist/import/main.js'
  await buildOnce({
    outputs: [built],
    sources: ['src/contract', 'src/service', 'vite.config.ts', 'package.json'],
    builds: [['--ssr', 'src/service/cli/import/main.ts', '--outDir', 'dist/import']],
  })
  process.argv = [process.execPath, join(root, built), ...importParameters]
  await import(pathToFileURL(join(root, built)).href)
}

function runService(script) {
  // Each statement of the embedded engine occupies a thread of libuv's pool while it runs. The size of the pool must be set
  // before node starts. It is enough for all statements that run at once (reads, scans, writes, control: see
  // open-engine.ts), and 8 other tasks such as reading files.
  const cores = cpus().length
  const threadCount = Math.max(8, 2 * cores) + (cores + 1) + 6 + 1 + 8
  // By default glibc keeps freed memory for each of up to 8 pools a core: after 30,000 requests 210 MB, more than all else
  // together. Blocks from 4 MiB on are given back at once, and all above 8 MiB at the end of a pool. Smaller numbers would map and
  // unmap the buffers of each request anew, which takes a tenth of the processor time of a bulk load.
  const allocatorSettings = {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: String(4 * mebibyte),
    MALLOC_TRIM_THRESHOLD_: String(8 * mebibyte),
    // The allocator of the engine: no samples for a profiler that nobody uses, and each thread keeps few freed blocks for itself,
    // none above 4 KiB. After some thousand requests that is about 30 MB.
    JE_MALLOC_CONF: 'prof:false,tcache_max:4096,tcache_nslots_small_min:2,tcache_nslots_small_max:16',
  }
  const child = spawn(process.execPath, [join(root, script)], {
    // The channel closes when this process ends, even by SIGKILL. The service stops then.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { UV_THREADPOOL_SIZE: String(threadCount), ...allocatorSettings, ...process.env },
  })
  const forwarded = new Set()
  for (const signal of stopSignals) {
    process.on(signal, () => {
      // The service has a limit of its own, which cannot help where its event loop is blocked. What was acknowledged is on disk.
      if (forwarded.size === 0) setTimeout(() => child.kill('SIGKILL'), maxShutdownMs).unref()
      forwarded.add(signal)
      child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL' && forwarded.size > 0) {
      console.error('Spool did not stop in time and was killed. Nothing that it acknowledged is lost.')
      process.exitCode = 0
      return
    }
    // Until it handles signals, the service has opened nothing: it was stopped, and it did not fail.
    if (signal === null || forwarded.has(signal)) process.exitCode = code ?? 0
    else {
      console.error(`Spool was ended by ${signal}.`)
      process.exitCode = 128 + constants.signals[signal]
    }
  })
  return child
}

/** Kills a service that hangs. The launcher then ends with an error, so that a service manager starts Spool again. */
function killWhenSilent(child) {
  let unanswered = 0
  child.on('message', () => (unanswered = 0))
  const asking = setInterval(() => {
    unanswered += 1
    if (unanswered <= maxUnanswered) return child.send('alive?', () => undefined)
    console.error('Spool did not answer for a minute and is killed. Nothing that it acknowledged is lost.')
    clearInterval(asking)
    child.kill('SIGKILL')
  }, questionMs)
  // A service that stops need not answer: `maxShutdownMs` is its limit.
  for (const signal of stopSignals) process.on(signal, () => clearInterval(asking))
  child.on('exit', () => clearInterval(asking))
}
