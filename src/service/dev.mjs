// The process of npm run dev. It is JavaScript, because Vite compiles the TypeScript that it loads.
import { createServer as createHttpServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const server = createHttpServer()
const vite = await createServer({
  root,
  appType: 'spa',
  server: {
    middlewareMode: true,
    hmr: { server },
    watch: { ignored: ['**/.spool/**', '**/.cache/**', '**/dist/**', '**/e2e/**'] },
  },
  clearScreen: false,
})
const { serveForDevelopment } = await vite.ssrLoadModule('/src/service/dev-server.ts')
try {
  await serveForDevelopment(vite, server)
} catch (error) {
  console.error(`Spool cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
