#!/usr/bin/env node
// The command `spool`, npm start and npm run dev: what has to happen before the service, or an import, begins.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const vite = join(root, 'node_modules/vite/bin/vite.js')
const [command = 'start', ...parameters] = process.argv.slice(2)
const isDevelopment = command === '--dev'

if (command === 'import') await runImport()
else if (command === 'start' || isDevelopment) startService()
else {
  console.error(`There is no command '${command}'. spool starts the service, spool import --help tells how files are loaded.`)
  process.exitCode = 1
}

/** When the newest of these was changed; what is missing counts as `ifMissing`. */
function newest(paths, ifMissing) {
  return Math.max(
    ...paths.flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (!stat) return [ifMissing]
      if (!stat.isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [stat.mtimeMs]
      return [
        newest(
          readdirSync(path).map((name) => join(path, name)),
          ifMissing,
        ),
      ]
    }),
    0,
  )
}

function isBuilt(sources, built) {
  const stats = built.map((name) => statSync(join(root, name), { throwIfNoEntry: false }))
  const changedAt = newest(
    sources.map((name) => join(root, name)),
    0,
  )
  return stats.every((stat) => stat && stat.mtimeMs >= changedAt)
}

function build(...viteArguments) {
  // Standard output belongs to the command's own few lines.
  const { status } = spawnSync(process.execPath, [vite, 'build', ...viteArguments, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) {
    console.error('Spool cannot start: the build failed.')
    process.exit(1)
  }
}

function startService() {
  const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json']
  if (!isDevelopment && !isBuilt(sources, ['dist/dashboard/index.html', 'dist/service/main.js'])) {
    build()
    build('--ssr')
  }
  // Statements of the embedded engine hold threads of libuv's pool for as long as they run: with too few, reading a file
  // waits for a query. The size must be in the environment before node starts. Twelve sessions at least, and eight beside.
  const threads = Math.max(8, 2 * cpus().length) + 4 + 8
  const child = spawn(
    process.execPath,
    isDevelopment ? [join(root, 'src/service/dev.mjs')] : [join(root, 'dist/service/main.js')],
    {
      stdio: 'inherit',
      cwd: process.cwd(),
      env: { ...process.env, UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(threads) },
    },
  )
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0)
  })
}

/** Built apart from the service, so that an import never replaces the files of one that is running. */
async function runImport() {
  const built = 'dist/import/main.js'
  if (!isBuilt(['src/contract', 'src/service', 'vite.config.ts', 'package.json'], [built])) {
    build('--ssr', 'src/service/cli/import/main.ts', '--outDir', 'dist/import')
  }
  process.argv = [process.execPath, join(root, built), ...parameters]
  await import(pathToFileURL(join(root, built)).href)
}
