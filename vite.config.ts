import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/**
 * Puts the style sheet into the page: one request less before the first paint. It has to be one sheet for all, since lazy
 * parts would go looking for the file of a sheet of their own.
 */
function inlineStyles(): Plugin {
  return {
    name: 'spool:inline-styles',
    enforce: 'post',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle(_, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
        page.source = String(page.source).replace(
          /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g,
          (tag, fileName: string) => {
            const sheet = bundle[fileName]
            if (sheet?.type !== 'asset') return tag
            delete bundle[fileName]
            return `<style>${String(sheet.source).trim()}</style>`
          },
        )
      }
    },
  }
}

/**
 * Keeps all that the first page needs in one script. Left alone, the bundler cuts off whatever a lazy part uses too, and
 * every piece is one request more before the first rows.
 */
function oneFirstScript(): Plugin {
  const first = new Set<string>()
  return {
    name: 'spool:one-first-script',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    config: () => ({
      build: {
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', test: (id: string) => first.has(id) }] } } },
      },
    }),
    buildEnd() {
      const waiting = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (first.has(id)) continue
        first.add(id)
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
  }
}

/** Writes .br and .gz beside each text file, so that the service never compresses a page while someone waits for it. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'spool:precompress',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: () => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:html|js|css|svg|json|txt|webmanifest)$/.test(name)) continue
        const path = join(folder, name)
        const bytes = readFileSync(path)
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), inlineStyles(), oneFirstScript(), precompress()],
  build: isSsrBuild
    ? { outDir: 'dist/service', rollupOptions: { input: 'src/service/main.ts' }, target: 'node20' }
    : { outDir: 'dist/dashboard', target: 'es2023', modulePreload: { polyfill: false }, cssCodeSplit: false },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}))
