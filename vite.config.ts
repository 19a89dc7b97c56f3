import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import * as React from 'react'
import { minify } from 'terser'
import { type Plugin, runnerImport } from 'vite'
import { defineConfig } from 'vitest/config'
import type * as frame from './src/dashboard/app/render-frame'

/** Puts the frame of the Shell component into index.html: one source for what shows before the script is loaded. */
function shellFrame(): Plugin {
  return {
    name: 'spool:shell-frame',
    transformIndexHtml: async (html) => {
      const { module } = await runnerImport<typeof frame>('/src/dashboard/app/render-frame.tsx')
      return html.replace('<!--shell-frame-->', module.renderFrame())
    },
  }
}

/**
 * Puts the style sheet into the page: without this request the first paint comes 26 to 36 % sooner on a mobile network.
 * `cssCodeSplit: false` makes one sheet for all, because a lazy chunk would request the file of its own sheet.
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
 * One script for the first page, one for each other page, one for the tools around the pages, and one for what these
 * share. Without groups the bundler makes dozens of small files, and each is a request. A group takes the modules that it
 * names with all their imports, except what an earlier group has: the tables that people open first, prices, spend and threads,
 * come early to need no second file.
 */
const scripts = [
  { name: 'first', tags: ['$initial' as const] },
  {
    name: 'tables',
    test: /src\/dashboard\/(?:threads\/ThreadsPage|costs\/CostsPage)/,
  },
  { name: 'forms', test: /node_modules\/(?:react-hook-form|@hookform)\// },
  {
    name: 'shared',
    test: /node_modules\/|src\/contract\/|src\/dashboard\/(?:client|format|ui\/(?!chart))\//,
    minShareCount: 2,
  },
  // What loads after the first rows: the tools around pages and tables, the popovers of all filters, and what adds calls to
  // queues. Three files were 2 kB gzip larger together.
  {
    name: 'tools',
    test: /src\/dashboard\/(?:app|table|queues\/add-items)\/|src\/contract\/to-problems|src\/dashboard\/client\/(?:server-words|read-whole-list)|src\/dashboard\/(?:ui\/(?:ChoiceList|TimeForm)|table\/filter\/TimeRangeForm|costs\/(?:ProviderList|AsOfForm|WorkloadForm|spend\/(?:WindowForm|WhatIfPicker))|threads\/(?:StartBounds|ThreadIds|SlowThreshold|WordsFilter|MoreFilters|NoSearch|SuggestInput|shape\/SplitForm))\.tsx$|src\/(?:contract\/filter-values|dashboard\/threads\/complete-list)\.ts$/,
  },
  // What is above the threads, and the totals and the chart of Spend: they load after the rows. Three
  // files were 1.5 kB gzip larger together.
  {
    name: 'charts',
    test: /src\/dashboard\/(?:ui\/chart\/|threads\/shape\/|costs\/(?:spend\/|PriceChart))|src\/contract\/thread-shape\.ts/,
  },
  // Inputs and outputs of calls: shown with a turn and where somebody reviews.
  { name: 'payload', test: /src\/dashboard\/payload\// },
  // A thread with its turns, in its panel and on its page, the tree of a turn and the export: two files were 1.5 kB gzip larger
  // together.
  {
    name: 'thread',
    test: /src\/dashboard\/threads\/(?:calls\/|export\/|turns\/|pick\/|(?:Thread(?:Panel|Page|Figures)|CallPage|NothingFound)\.|thread-ranking|use-thread\.)|src\/contract\/turns\.ts/,
  },
  { name: 'queues', test: /src\/dashboard\/queues\/Queues?Page\.tsx$/ },
  // With what people answered: two files were 1.3 kB gzip larger together.
  { name: 'review', test: /src\/dashboard\/queues\/(?:review|results)\// },
  // With the editor of scorers, and Send data: three files were 2.8 kB gzip larger together.
  { name: 'new-queue', test: /src\/dashboard\/(?:queues|setup)\// },
  // The panel of a price with the forms that change it: two files were larger together.
  { name: (id: string) => /src\/dashboard\/(costs|connection)\//.exec(id)?.[1] ?? null },
]

/**
 * Vite wraps each dynamic import in a helper that first loads the sheets and scripts of a part. Here the one sheet is in the page
 * and scripts are not preloaded, so its 0.7 kB gzip in the first script would do nothing.
 */
function plainImports(): Plugin {
  return {
    name: 'spool:plain-imports',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined),
  }
}

/**
 * React is CommonJS, so each use of an import reads a property: `(0, react.jsx)(…)`, in more than three thousand places. Here each
 * export is read once. All scripts together are 2.5 kB gzip smaller. In production, `jsxs` is the same function as `jsx`.
 */
function directReact(): Plugin {
  const prefix = '\0direct:'
  const names = Object.keys(React).filter((name) => name !== 'default' && name !== 'module.exports')
  const exportsBySource: Record<string, string> = {
    react: `export default all; export const { ${names.join(', ')} } = all`,
    'react/jsx-runtime': 'export const { Fragment, jsx } = all; export { jsx as jsxs }',
  }
  return {
    name: 'spool:direct-react',
    enforce: 'pre',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    resolveId: (source, importer, { kind }) =>
      kind === 'import-statement' && source in exportsBySource && !importer?.startsWith(prefix) ? prefix + source : undefined,
    load: (id) => {
      if (!id.startsWith(prefix)) return
      const source = id.slice(prefix.length)
      return `import all from '${source}'; ${exportsBySource[source]}`
    },
  }
}

/**
 * Terser finds what the minifier of Vite leaves, such as functions that are called once: all scripts together are 2.1 kB gzip smaller.
 * It takes what that minifier wrote, which is smaller than what it makes of the bundle alone.
 */
function minifyAgain(): Plugin {
  return {
    name: 'spool:minify-again',
    enforce: 'post',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle: async (_, bundle) => {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const compress = { passes: 3, sequences: false, unsafe_arrows: true, ecma: 2020 as const }
        const { code } = await minify(chunk.code, { module: true, ecma: 2020, compress, format: { comments: /^# / } })
        if (code === undefined) throw new Error(`Terser made nothing of ${chunk.fileName}.`)
        chunk.code = code
      }
    },
  }
}

/**
 * V8 compiles every function of the first script off the main thread while it downloads. Measured at CPU x4: 9 % less main
 * thread time until the first rows. See https://v8.dev/blog/explicit-compile-hints.
 */
const compileAhead = '//# allFunctionsCalledOnLoad'

/** Writes .br and .gz files, so that the service never compresses during a request. Brotli 11 paints 28 % sooner than gzip. */
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

const allTests = ['src/**/*.test.{ts,tsx}']
const slowTests = ['src/**/*.slow.test.ts']

// The modules by which tests open sockets, or an engine in a way of their own.
const ownProcess =
  /'node:(?:http2|net)'|'[^']*\/(?:engine-thread|listening-service|open-service|open-store|serve-app|serve-engine)'/
// Those by which they open an engine as all do. A process has one engine at a time.
const engine = /'[^']*\/(?:call-writer-fixture|queue-client|temporary-store|test-app|test-import)'/

/** The test files that open an engine, and among these those that need a process of their own. */
function listEngineTests() {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => `src/${name}`)
  const texts = paths.filter((path) => path.endsWith('.test.ts')).map((path) => [path, readFileSync(path, 'utf8')] as const)
  const find = (pattern: RegExp) => texts.flatMap(([path, text]) => (pattern.test(text) ? [path] : []))
  const isolated = find(ownProcess)
  return { isolated, shared: find(engine).filter((path) => !isolated.includes(path)) }
}

const engineTests = listEngineTests()
const testTimeout = 30_000
/** To load the modules anew for each file would take half of the time. */
const sharedProcess = { isolate: false, setupFiles: ['src/testing/restore-globals.ts'] }

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), shellFrame(), inlineStyles(), plainImports(), directReact(), minifyAgain(), precompress()],
  build: isSsrBuild
    ? {
        outDir: 'dist/service',
        copyPublicDir: false,
        rollupOptions: { input: ['src/service/main.ts', 'src/service/worker.ts', 'src/service/engine-worker.ts'] },
        target: 'node20',
      }
    : {
        outDir: 'dist/dashboard',
        target: 'es2023',
        modulePreload: false,
        cssCodeSplit: false,
        rolldownOptions: {
          // Its report would stand between the lines of a first start.
          checks: { bundlerTimings: false },
          output: { codeSplitting: { groups: scripts }, postBanner: ({ isEntry }) => (isEntry ? compileAhead : '') },
        },
      },
  test: {
    pool: 'forks',
    // A store test waits for the disk half of its time, so two workers share even one core well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    hookTimeout: 60_000,
    // What a slow machine needs for what takes milliseconds elsewhere.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          ...sharedProcess,
          name: 'fast',
          include: allTests,
          exclude: [...slowTests, ...engineTests.shared, ...engineTests.isolated],
          testTimeout,
        },
      },
      { extends: true, test: { ...sharedProcess, name: 'engine', include: engineTests.shared, exclude: slowTests, testTimeout } },
      { extends: true, test: { name: 'process', include: engineTests.isolated, exclude: slowTests, testTimeout } },
      { extends: true, test: { name: 'slow', include: slowTests, testTimeout: 180_000 } },
    ],
  },
}))
