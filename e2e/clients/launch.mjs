// npm run test:clients: bundles the runner, because Node 20 does not run TypeScript, and runs it.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: { ssr: 'e2e/clients/main.ts', outDir: 'dist/clients', target: 'node20' },
})

const child = spawn(process.execPath, [`${root}dist/clients/main.js`, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
