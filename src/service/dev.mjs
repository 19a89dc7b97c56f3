// The process of npm run dev. TypeScript begins behind vite, so this file only opens that door.
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const hotReloadServer = (await import('node:http')).createServer()
const vite = await createServer({
  root,
  appType: 'spa',
  server: { middlewareMode: true, hmr: { server: hotReloadServer } },
  clearScreen: false,
})
const { serveForDevelopment } = await vite.ssrLoadModule('/src/service/dev-server.ts')
await serveForDevelopment(vite, hotReloadServer)
