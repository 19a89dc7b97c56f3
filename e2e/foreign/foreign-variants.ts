import type { JsonObject } from './foreign-query'
import type { ForeignVariant, Reply } from './foreign-service'

/** The figures of a thread that the requirements name, and no others. `number` tells the threads apart. */
function foreignThread(number: number, change: JsonObject = {}) {
  return {
    thread_id: `thread-${String(number).padStart(3, '0')}`,
    turn_count: (number % 7) + 1,
    start_time: time(number),
    last_updated: time(number + 1),
    p50_turn_duration_ms: 100 + number,
    p99_turn_duration_ms: 200 + number * 3,
    ...change,
  }
}

function foreignCost(number: number, change: JsonObject = {}) {
  return {
    id: `cost-${String(number).padStart(3, '0')}`,
    llm_id: `model-${String(number).padStart(3, '0')}`,
    provider_id: number % 2 === 0 ? 'maker' : 'reseller',
    prompt_token_cost: number * 1e-7,
    completion_token_cost: number * 4e-7,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: time(number),
    ...change,
  }
}

// Within one year, later with each number.
function time(number: number): string {
  return new Date(Date.UTC(2026, 0, 1, number)).toISOString()
}

const threads = range(130, (number) => foreignThread(number))
const costs = range(130, (number) => foreignCost(number))
const minimal = { costs, threads } satisfies Partial<ForeignVariant>
function otherRoutes(status: number): ForeignVariant {
  return { name: `other routes: ${status}`, ...minimal, otherRoutes: { status, body: '{"detail":"no such route here"}' } }
}

const html: Reply = { status: 200, type: 'text/html', body: '<!doctype html><title>Console</title><p>Welcome' }

function failing(reply: Reply): Partial<ForeignVariant> {
  return { replies: { costs: reply, threads: reply, queues: reply } }
}

/** Services of other people, by what they do. `npm run e2e:slow -- foreign` prints how each page behaves with each. */
export const foreignVariants: readonly ForeignVariant[] = [
  { name: 'minimal', ...minimal },
  { name: 'no rows', costs: [], threads: [] },
  {
    name: 'W&B Weave on SQLite',
    costs: range(130, (number) => foreignCost(number, { effective_date: time(number).replace('.000Z', '+00:00') })),
    threads: range(130, (number) =>
      foreignThread(number, {
        first_turn_id: `first-${number}`,
        last_turn_id: `last-${number}`,
        p50_turn_duration_ms: -1,
        p99_turn_duration_ms: -1,
      }),
    ),
  },

  // Which requests a browser may send.
  { name: 'no CORS', ...minimal, cors: 'none' },
  { name: 'CORS for documented headers', ...minimal, cors: ['content-type', 'authorization'] },

  // What the routes answer that not every service has.
  otherRoutes(401),
  otherRoutes(403),
  otherRoutes(400),
  otherRoutes(500),
  { name: 'other routes: 200 HTML', ...minimal, otherRoutes: html },
  { name: 'other routes: nothing', ...minimal, otherRoutes: 'hang' },
  {
    name: 'other routes: redirect',
    ...minimal,
    otherRoutes: { status: 302, headers: { location: '/login' } },
  },

  // Pages and order.
  { name: 'limit capped at 50', ...minimal, limitCap: 50 },
  { name: 'limit refused above 100', ...minimal, maxLimit: 100 },
  { name: 'limit refused above 10', ...minimal, maxLimit: 10 },
  { name: 'limit refused at 0', ...minimal, minLimit: 1 },
  { name: 'limit ignored', ...minimal, ignores: ['limit'] },
  { name: 'offset ignored', ...minimal, ignores: ['offset'] },
  { name: 'limit and offset ignored', ...minimal, ignores: ['limit', 'offset'] },
  { name: 'sort_by ignored', ...minimal, ignores: ['sort_by'] },
  { name: 'all but project ignored', ...minimal, ignores: ['limit', 'offset', 'sort_by', 'query', 'filter'] },

  // The query language.
  { name: 'no $lte', ...minimal, unknownOperators: ['$lte'] },
  { name: 'query refused', ...minimal, unknownOperators: ['$expr'] },

  // Records.
  {
    name: 'required fields only',
    costs: range(130, (number) => foreignCost(number, { id: undefined, provider_id: undefined, effective_date: undefined })),
    threads: range(130, (number) => foreignThread(number, { p50_turn_duration_ms: undefined, p99_turn_duration_ms: undefined })),
  },
  {
    name: 'numbers as text, epoch times',
    costs: range(130, (number) =>
      foreignCost(number, {
        prompt_token_cost: (number * 1e-7).toFixed(7),
        effective_date: Date.parse(time(number)) / 1000,
      }),
    ),
    threads: range(130, (number) =>
      foreignThread(number, { turn_count: String(number), last_updated: Date.parse(time(number + 1)) }),
    ),
  },
  {
    name: 'years 1 and 9999, null ids, twins',
    costs: [
      ...costs.slice(0, 20),
      foreignCost(1, { effective_date: '0001-01-01T00:00:00Z' }),
      foreignCost(2, { effective_date: '9999-12-31T23:59:59Z' }),
      foreignCost(3, { id: null }),
      foreignCost(4, { llm_id: null }),
    ],
    threads: [
      ...threads.slice(0, 20),
      foreignThread(1, { start_time: '0001-01-01T00:00:00Z' }),
      foreignThread(2, { last_updated: '9999-12-31T23:59:59Z' }),
      foreignThread(3, { thread_id: null }),
    ],
  },
  {
    name: 'hostile ids',
    costs: [...costs.slice(0, 5), ...hostileIds().map((id) => foreignCost(6, { id, llm_id: id, provider_id: id }))],
    threads: [...threads.slice(0, 5), ...hostileIds().map((id) => foreignThread(6, { thread_id: id, first_turn_id: id }))],
  },

  // The threads' body.
  { name: 'array', ...minimal, threadsForm: 'array', pieces: { bytes: 997, pauseMs: 1 } },
  { name: '{"threads":[]}', ...minimal, threadsForm: 'object', pieces: { bytes: 997, pauseMs: 1 } },
  { name: 'drips', ...minimal, pieces: { bytes: 400, pauseMs: 20 } },
  { name: 'broken lines', ...minimal, changeThreadsBody: (body) => body.replaceAll('"thread-12', '"torn\n"thread-12') },
  { name: 'only broken lines', costs: [{ prompt_token_cost: 'dear' }], threads: [{ thread_id: null }, 'text', 7] },
  { name: 'cut in mid-stream', ...minimal, cutAfterBytes: 4000 },
  { name: 'cut at once', ...minimal, cutAfterBytes: 0 },
  {
    name: '100,000 rows in one array',
    costs,
    threads: range(100_000, (number) => foreignThread(number)),
    threadsForm: 'array',
    ignores: ['limit', 'offset', 'sort_by'],
  },

  // Errors.
  {
    name: 'error: detail list',
    ...failing({ status: 422, body: '{"detail":[{"loc":["body"],"msg":"No such field.","type":"x"}]}' }),
  },
  { name: 'error: detail text', ...failing({ status: 400, body: '{"detail":"Bad project."}' }) },
  { name: 'error: reason', ...failing({ status: 403, body: '{"reason":"Not your project."}' }) },
  {
    name: 'error: HTML title',
    ...failing({ status: 502, type: 'text/html', body: '<title>502 Bad Gateway</title><h1>nginx</h1>' }),
  },
  { name: 'error: empty', ...failing({ status: 500 }) },
  { name: 'error: 200 HTML', ...failing(html) },
  { name: 'error: redirect', ...failing({ status: 302, headers: { location: 'http://127.0.0.1:9/login' } }) },
]

/** Ids that could hide what they are, or break the page. */
function hostileIds(): string[] {
  return [
    `long-${'x'.repeat(1200)}`,
    'control-\u0000\u0007\u001B[31m\n-end',
    'zero\u200B\u200D\uFEFFwidth',
    'override-\u202Etxt.exe',
    'isolate-\u2066\u05D0\u05D1\u2069-\u05D0\u05D1',
    '<img src=x onerror=alert(1)>',
    ' spaces ',
    'lone-\uD800-surrogate',
  ]
}

function range<T>(count: number, build: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => build(index))
}
