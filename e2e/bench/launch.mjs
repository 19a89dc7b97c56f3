// npm run bench: bundles the bench with the service's store and runs it in a child process. A child, because
// UV_THREADPOOL_SIZE has no effect unless it is set before node starts.
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: 'dist/bench',
    target: 'node20',
    rolldownOptions: { input: ['e2e/bench/main.ts', 'e2e/bench/fairness/bystander.ts'] },
  },
})

const child = spawn(process.execPath, ['--expose-gc', `${root}dist/bench/main.js`, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.max(2, cpus().length) + 2 + 8) },
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
