import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import type { PageSizes } from '../../derive/trace-deriver'
import type { RowLimits } from '../../derive/written-rows'
import type { CallRow } from '../../ingest/call-row'
import { SpendDeriver } from '../../spend/spend-deriver'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { silentLogger } from '../../testing/silent-logger'
import { insertTestPrices } from '../testing/test-prices'
import { findMatchingCalls } from './find-matching-calls'
import { SearchDeriver } from './search-deriver'
import type { StepSizes } from './find-page'
import type { SearchFilter, SearchRequest } from './search-request'
import { searchThreads } from './search-threads'
import { referenceMatchingCalls, referenceSearch } from './testing/reference-search'

let fixture: CallWriterFixture
let spends: SpendDeriver
let searches: SearchDeriver
const openDerivers = (sizes: { pageSizes: PageSizes | undefined; rowLimits: RowLimits | undefined }) => {
  const deps = { store: fixture.store, deriver: fixture.deriver, logger: silentLogger, ...sizes }
  spends = new SpendDeriver(deps)
  searches = new SearchDeriver(deps)
}
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  await insertTestPrices(fixture.store)
})
afterAll(() => fixture.close())

const toId = (index: number) => `c${index.toString().padStart(15, '0')}`
/** In the form of the wire, as the schema of a request makes it: only such instants can be compared. */
const toInstant = (minute: number) => `2026-03-29T00:${String(minute).padStart(2, '0')}:00.500000Z`

const words = ['Refund', 'refund_id', 'REFUNDED', 'Привет', 'naïve', '東京', 'हिन्दी', 'tool', 'n', '7']
const text = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', '\n', '"', '\\', '.', '-', '😀')), { maxLength: 4 })
  .map((pairs) => pairs.flat().join(''))
const payload = fc.oneof(
  text,
  fc.dictionary(fc.constantFrom('question', 'tool', 'ключ'), fc.oneof(text, fc.array(text), fc.nat(9)), { maxKeys: 2 }),
)

const threadIds = ['t-1', 't-2', 'u'] as const

/** Any parts of a few calls: they contradict each other, move calls between traces, threads and turns, and delete them. */
const part = fc.record({
  index: fc.nat(6),
  trace: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.integer({ min: 2, max: 3 }) }),
  parent: fc.option(fc.nat(6)),
  thread: fc.option(fc.constantFrom(...threadIds), { freq: 3 }),
  turn: fc.constantFrom('self', 'self', 'none', 'other'),
  isConversation: fc.boolean(),
  user: fc.option(fc.constantFrom('kim', 'jo'), { freq: 2 }),
  op: fc.constantFrom('a', 'b'),
  minute: fc.option(fc.nat(59), { freq: 5 }),
  seconds: fc.option(fc.nat(90)),
  hasFailed: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
  inputs: fc.option(payload),
  output: fc.option(payload),
  usage: fc.option(
    fc.dictionary(
      fc.constantFrom('m', 'n', 'unknown'),
      fc.record({ prompt_tokens: fc.nat(900), completion_tokens: fc.nat(90) }),
      {
        maxKeys: 2,
      },
    ),
  ),
  isDeleted: fc.integer({ min: 0, max: 15 }).map((value) => value === 0),
})
type Part = Parameters<Parameters<typeof part.map>[0]>[0]

function toRow(projectId: string, each: Part): CallRow {
  const id = toId(each.index)
  if (each.isDeleted) return { project_id: projectId, id, deleted_at: toInstant(0) }
  const isConversation = each.isConversation && each.thread !== null
  const turnId = each.turn === 'self' ? id : toId((each.index + 1) % 7)
  return {
    project_id: projectId,
    id,
    ...(each.minute !== null && {
      started_at: toInstant(each.minute),
      trace_id: String(each.trace).repeat(32),
      parent_id: each.parent === null || each.parent === each.index ? undefined : toId(each.parent),
      thread_id: each.thread ?? undefined,
      turn_id: each.turn === 'none' || (isConversation && each.turn === 'self') ? undefined : turnId,
      is_span: isConversation || undefined,
      is_conversation: isConversation || undefined,
      op_name: each.op,
      attributes: each.user ? { user_id: each.user } : undefined,
      inputs: each.inputs ?? undefined,
    }),
    ...(each.seconds !== null && {
      ended_at: `2026-03-29T01:${String(each.seconds % 60).padStart(2, '0')}:00Z`,
      exception: each.hasFailed ? 'Boom: refund\\nothing' : undefined,
      output: each.output ?? undefined,
    }),
    ...(each.usage && { summary: { usage: each.usage } }),
  }
}

const query = fc.constantFrom(
  'refund',
  'REFUND*',
  'tool refund',
  'привет',
  '東京',
  'ref* 7',
  'हिन्दी',
  'question',
  'n* tool',
  'nothing',
  '*?',
)
const filter: fc.Arbitrary<Partial<SearchFilter>> = fc.record(
  {
    after_datetime: fc.nat(30).map(toInstant),
    before_datetime: fc.integer({ min: 30, max: 59 }).map(toInstant),
    thread_ids: fc.subarray(['t-1', 'u', 'x']),
    thread_id_prefix: fc.constantFrom('t', 't-1', 'x'),
    text: query,
    has_errors: fc.boolean(),
    models: fc.subarray(['m', 'n', 'unknown']),
    op_names: fc.subarray(['a', 'b']),
    users: fc.subarray(['kim', 'jo']),
    min_turns: fc.nat(3),
    min_p50_ms: fc.nat(3_600_000),
    min_p99_ms: fc.nat(3_600_000),
    min_cost: fc.constantFrom('0', '0.001', '0.00225'),
  },
  { requiredKeys: [] },
)
const fields = [
  'thread_id',
  'turn_count',
  'last_updated',
  'p99_turn_duration_ms',
  'error_count',
  'total_tokens',
  'total_cost',
] as const
const request = fc.record({
  filter,
  sort_by: fc.array(fc.record({ field: fc.constantFrom(...fields), direction: fc.constantFrom('asc', 'desc') }), {
    maxLength: 2,
  }),
  limit: fc.option(fc.nat(3), { nil: undefined }),
  offset: fc.option(fc.nat(2), { nil: undefined }),
})

async function search(full: SearchRequest, stepSizes: StepSizes | undefined) {
  await Promise.all([fixture.deriver, spends, searches].map((each) => each.flush(full.project_id)))
  const found = []
  for await (const rows of searchThreads(fixture.store, full, {}, stepSizes)) found.push(...rows)
  return found
}

async function expectMatchingCalls({ project_id, ...selection }: SearchRequest, thread_id: string) {
  if (!selection.filter) return
  const full = { project_id, thread_id, filter: selection.filter }
  const found = await findMatchingCalls(fixture.store, full, {})
  const ids = await referenceMatchingCalls(fixture.store, full)
  expect({ full, ids: found.calls.map(({ id }) => id), count: found.count }).toEqual({ full, ids, count: ids.length })
}

let run = 0
testProperty(
  'a search finds what the reference model finds at any moment, whatever arrives in whatever order',
  fc.record({
    parts: fc.array(part, { minLength: 4, maxLength: 24 }),
    sizes: fc.array(fc.integer({ min: 2, max: 12 }), { minLength: 1, maxLength: 3 }),
    requests: fc.array(request, { minLength: 2, maxLength: 5 }),
    restarts: fc.boolean(),
    // With few calls to a page, nearly all is a backlog.
    pageSizes: fc.constantFrom(undefined, { calls: 2, callsOfBacklog: 5 }),
    // What is written is remembered of all traces, of some, of none.
    rowLimits: fc.constantFrom({ minRows: 1, maxRows: 1000 }, { minRows: 1, maxRows: 6 }, undefined),
    // With few threads to a step, a page is not found in the first.
    stepSizes: fc.constantFrom(undefined, { atLeast: 1, perThread: 0 }),
  }),
  { runs: 8, timeoutMs: 600_000 },
  async ({ parts, sizes, requests, restarts, pageSizes, rowLimits, stepSizes }) => {
    openDerivers({ pageSizes, rowLimits })
    const projectId = `search/run-${(run += 1)}`
    // At the end the filters of one request one by one, then those of each at once; before that one request at a time.
    const [first] = requests
    const single = Object.entries(first?.filter ?? {}).map(([key, value]) => ({ filter: { [key]: value } }))
    for (let from = 0, step = 0; from < parts.length; step += 1) {
      const to = from + (sizes[step % sizes.length] ?? 1)
      await fixture.writer.write(parts.slice(from, to).map((each) => toRow(projectId, each)))
      from = to
      // A new process knows nothing but the store.
      if (restarts && step % 2 === 1) openDerivers({ pageSizes, rowLimits })
      const isLast = from >= parts.length
      for (const [index, each] of (isLast ? [...single, ...requests, {}] : [requests[step % requests.length], {}]).entries()) {
        const full = { limit: undefined, offset: undefined, ...each, project_id: projectId } as SearchRequest // absent is undefined
        const found = await search(full, stepSizes)
        expect({ full, found }).toEqual({ full, found: await referenceSearch(fixture.store, full) })
        // A thread that is not found may have calls for which some filters hold.
        await expectMatchingCalls(full, threadIds[index % threadIds.length] ?? '')
      }
    }
  },
)
