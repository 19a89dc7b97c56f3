#!/usr/bin/env node
// The command `spool`: builds what is missing or older than its sources, then runs the built program.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { constants, cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

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

function start() {
  const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json']
  if (!isUpToDate(['dist/dashboard/index.html', 'dist/service/main.js', 'dist/service/worker.js'], sources)) {
    build()
    build('--ssr')
  }
  runService('dist/service/main.js')
}

function startForDevelopment() {
  runService('src/service/dev.mjs')
}

/** The import has a build of its own, so that it never replaces the files of a running service. */
async function runImport(importParameters) {
  const built = 'dist/import/main.js'
  if (!isUpToDate([built], ['src/contract', 'src/service', 'vite.config.ts', 'package.json'])) {
    build('--ssr', 'src/service/cli/import/main.ts', '--outDir', 'dist/import')
  }
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
  // together. It also raises the size from which a block is given back at once. Numbers of any size switch that off.
  const allocatorSettings = {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  }
  const child = spawn(process.execPath, [join(root, script)], {
    // The channel closes when this process ends, even by SIGKILL. The service stops then.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { UV_THREADPOOL_SIZE: String(threadCount), ...allocatorSettings, ...process.env },
  })
  const forwarded = new Set()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      forwarded.add(signal)
      child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    // Until it handles signals, the service has opened nothing: it was stopped, and it did not fail.
    if (signal === null || forwarded.has(signal)) process.exitCode = code ?? 0
    else {
      console.error(`Spool was ended by ${signal}.`)
      process.exitCode = 128 + constants.signals[signal]
    }
  })
}

function isUpToDate(outputs, sources) {
  const sourceTime = Math.max(...sources.map((path) => lastModified(join(root, path))))
  return outputs.every((path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    return stat !== undefined && stat.mtimeMs >= sourceTime
  })
}

/** When a file, or the newest file of a folder, was modified. Tests do not count, and neither do missing files. */
function lastModified(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || /\.test\.tsx?$/.test(path)) return 0
  return stat.isDirectory() ? Math.max(0, ...readdirSync(path).map((entry) => lastModified(join(path, entry)))) : stat.mtimeMs
}

function build(...viteArguments) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // Standard output is only for the output of the command.
  const { status } = spawnSync(process.execPath, [vite, 'build', ...viteArguments, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status === 0) return
  console.error('Spool cannot start: the build failed.')
  process.exit(1)
}
