import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname)

/** What files under a folder may import: folders of `src` and packages. The first rule that fits a file counts. */
const rules: { folder: string; mayImport: string[]; why: string }[] = [
  { folder: 'contract', mayImport: ['contract', 'zod/mini'], why: 'the contract is shared by browser and service' },
  { folder: 'dashboard/ui', mayImport: ['dashboard/ui', 'react', 'react-dom'], why: 'ui knows no data and no domain words' },
  { folder: 'dashboard/format', mayImport: ['dashboard/format', 'react', 'big.js'], why: 'formats are pure functions' },
  {
    folder: 'dashboard/client',
    mayImport: ['dashboard/client', 'contract', 'zod/mini', 'react', '@tanstack/react-query'],
    why: 'the client fetches and knows no page',
  },
  {
    folder: 'dashboard/table',
    mayImport: ['dashboard/table', 'dashboard/client', 'dashboard/ui', 'dashboard/format', 'contract', ...browserPackages()],
    why: 'the table serves features and knows none',
  },
  ...['costs', 'threads', 'queues', 'send', 'connection'].map((feature) => ({
    folder: `dashboard/${feature}`,
    mayImport: [
      `dashboard/${feature}`,
      ...['table', 'client', 'ui', 'format'].map((name) => `dashboard/${name}`),
      'contract',
      ...browserPackages(),
    ],
    why: 'a feature never imports another feature',
  })),
  {
    folder: 'dashboard',
    mayImport: ['dashboard', 'contract', ...browserPackages()],
    why: 'dashboard and service meet in contract only',
  },
  {
    folder: 'service/store',
    mayImport: ['service/store', 'contract', 'zod', 'zod/mini', '@clickhouse/client', 'chdb', 'node:'],
    why: 'the store knows no route',
  },
  {
    folder: 'service/http',
    mayImport: ['service/http', 'contract', 'zod', 'zod/mini', 'hono', '@hono/node-server', 'pino', 'node:'],
    why: 'http knows no feature',
  },
  {
    folder: 'service/import',
    mayImport: [
      'service/import',
      ...['http/parse-json', 'http/read-body', 'http/refusal', 'session/users-file', 'settings', 'start-error'].map(
        (name) => `service/${name}`,
      ),
      'contract',
      'zod/mini',
      'node:',
    ],
    why: 'an import is a client of the service and opens no store',
  },
  {
    folder: 'service',
    mayImport: [
      'service',
      'contract',
      'zod',
      'zod/mini',
      'hono',
      '@hono/node-server',
      '@clickhouse/client',
      '@pydantic/genai-prices',
      'big.js',
      'pino',
      'protobufjs',
      'chdb',
      'node:',
      'vite',
    ],
    why: 'service and dashboard meet in contract only',
  },
]

function browserPackages(): string[] {
  return [
    'zod/mini',
    'react',
    'react-dom',
    '@tanstack/react-query',
    '@tanstack/react-table',
    'react-hook-form',
    '@hookform/resolvers',
    'wouter',
    'big.js',
  ]
}

/** `openai`, `weave` and the rest are the real clients that tests run against the service. */
const testPackages = [
  'vitest',
  'fast-check',
  '@testing-library/react',
  'node:',
  'openai',
  'weave',
  '@opentelemetry',
  '@arizeai/openinference-core',
  '@arizeai/openinference-instrumentation-openai',
  '@traceloop/instrumentation-openai',
]

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? sourceFiles(join(folder, entry.name))
      : /\.(?:ts|tsx|mjs)$/.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  )
}

/** Every module a file names, with the line it stands on. */
function importsOf(file: string): { line: number; target: string }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      // Statements and import() alone: Buffer.from('x') names no module.
      const match = /(?:^import\s+|^(?:import|export|\})[^'"]*\sfrom\s+|\bimport\(\s*)['"]([^'"]+)['"]/.exec(text)
      return match?.[1] ? [{ line: index + 1, target: match[1] }] : []
    })
}

function breaches(): string[] {
  return sourceFiles(root).flatMap((file) => {
    const path = relative(root, file)
    const rule = rules.find(({ folder }) => path.startsWith(`${folder}/`))
    if (!rule) return []
    const isTest = /\.test\.tsx?$/.test(path) || path.includes('/testing/')
    return importsOf(file).flatMap(({ line, target }) => {
      const isRelative = target.startsWith('.')
      const name = isRelative ? relative(root, resolve(dirname(file), target)) : target
      const isAllowed = [...rule.mayImport, ...(isTest ? testPackages : [])].some(
        (allowed) => name === allowed || name.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
      )
      return isAllowed || (isTest && rule.folder.startsWith('service') && name.startsWith('service/'))
        ? []
        : [`src/${path}:${line} imports '${target}': ${rule.why}`]
    })
  })
}

test('imports point one way', () => {
  expect(breaches()).toEqual([])
})

test('no file is a barrel', () => {
  const barrels = sourceFiles(root).filter((file) => /\/index\.tsx?$/.test(file))
  expect(barrels).toEqual([])
})
