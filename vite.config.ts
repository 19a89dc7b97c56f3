import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
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
 * What is fetched together stands in one file. Left alone, the bundler cuts off whatever two parts share, and every piece
 * is one request more. A group takes what it names with all that this imports and no group before it has.
 */
const scripts = [
  { name: 'first', tags: ['$initial' as const] },
  { name: 'threads', test: /src\/dashboard\/threads\/ThreadsPage\.tsx$/ },
  { name: 'tools', test: /(?:TableTools|ColumnMenu|ResizeHandle|SelectionActions|ShellTools|BrokenPage)\.tsx$/ },
  { name: 'shared', minShareCount: 2 },
]

/**
 * Asks the engine to compile every function of the first script beside its download, off the main thread, where it would
 * compile each at its first call (V8's explicit compile hints; other engines read a comment).
 */
const compileAhead = '//# allFunctionsCalledOnLoad'

/**
 * Leaves `import()` to the browser. The helper around it would fetch a lazy part's pieces and styles ahead: here a part is a
 * file or two, styles are in the page, and the helper is a kilobyte before the first rows.
 */
function plainImports(): Plugin {
  return {
    name: 'spool:plain-imports',
    enforce: 'pre',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined),
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
  plugins: [react(), tailwindcss(), inlineStyles(), plainImports(), precompress()],
  build: isSsrBuild
    ? { outDir: 'dist/service', copyPublicDir: false, rollupOptions: { input: 'src/service/main.ts' }, target: 'node20' }
    : {
        outDir: 'dist/dashboard',
        target: 'es2023',
        modulePreload: false,
        cssCodeSplit: false,
        rolldownOptions: {
          output: { codeSplitting: { groups: scripts }, postBanner: ({ isEntry }) => (isEntry ? compileAhead : '') },
        },
      },
  resolve: {
    alias: [
      // React has had this hook since 18; wouter and TanStack Store bring the shim for older ones. The package's main
      // entry would do the same, but it prints a console error in development.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      { find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/, replacement: 'use-sync-external-store/with-selector' },
    ],
  },
  test: {
    pool: 'forks',
    // Half of what a store's test takes is waiting for the disk, so two share even one core well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: ['src/**/*.test.{ts,tsx}'], exclude: ['src/**/*.slow.test.ts'], testTimeout: 30_000 },
      },
      { extends: true, test: { name: 'slow', include: ['src/**/*.slow.test.ts'], testTimeout: 180_000 } },
    ],
  },
}))
