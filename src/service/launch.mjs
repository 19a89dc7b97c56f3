// npm start and npm run dev: what has to happen before the service's own process begins.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vite = join(root, 'node_modules/vite/bin/vite.js')
const isDevelopment = process.argv.includes('--dev')

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

function isBuilt() {
  const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(root, name))
  const built = ['dist/dashboard/index.html', 'dist/service/main.js'].map((name) =>
    statSync(join(root, name), { throwIfNoEntry: false }),
  )
  return built.every((stat) => stat && stat.mtimeMs >= newest(sources, 0))
}

function build() {
  for (const parameters of [['build'], ['build', '--ssr']]) {
    // Standard output belongs to the service's own few lines.
    const { status } = spawnSync(process.execPath, [vite, ...parameters, '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    })
    if (status !== 0) {
      console.error('Spool cannot start: the build failed.')
      process.exit(1)
    }
  }
}

if (!isDevelopment && !isBuilt()) build()

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
