// npm run bench: bundles the bench with the service's own store and runs it with the thread pool the service gets.
// UV_THREADPOOL_SIZE counts only if it is set before node starts, so the bench runs in a child.
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: { ssr: 'e2e/bench/main.ts', outDir: 'dist/bench', target: 'node20' },
})

const child = spawn(process.execPath, ['--expose-gc', `${root}dist/bench/main.js`, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.max(2, cpus().length) + 2 + 8) },
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
