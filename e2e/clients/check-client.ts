import { calcPrice } from '@pydantic/genai-prices'
import * as z from 'zod/mini'
import type { SpoolClient } from '../spool-client'
import { type Aspect, type Client, aspects } from './client'
import { refusalMessage, toVersion } from './model-endpoints/choose-reply'
import type { ServedReply } from './model-endpoints/endpoint'

export const threadId = 'ticket-1042'

const Costs = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  prompt_tokens_total_cost: z.nullable(z.number()),
  completion_tokens_total_cost: z.nullable(z.number()),
  cache_read_input_tokens_total_cost: z.nullable(z.number()),
  cache_creation_input_tokens_total_cost: z.nullable(z.number()),
})
const ReadCall = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  started_at: z.string(),
  exception: z.nullable(z.string()),
  inputs: z.unknown(),
  output: z.unknown(),
  summary: z.object({
    usage: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
    weave: z.object({ status: z.string(), costs: z.optional(z.record(z.string(), Costs)) }),
  }),
})
type ReadCall = z.infer<typeof ReadCall>

const ReadThread = z.object({ thread_id: z.string(), turn_count: z.number() })

/** Compared figures are equal, or the text says what is expected and what was found. */
type Finding = string | undefined
export type Findings = Readonly<Record<Aspect, Finding>>

/** Compares what Spool returns for the project of a client with what the model endpoints served to it. */
export async function checkClient(
  client: Client,
  projectId: string,
  served: readonly ServedReply[],
  spool: SpoolClient,
): Promise<Findings> {
  const sort_by = [{ field: 'started_at', direction: 'asc' }]
  const lines = await spool.postLines('/calls/stream_query', { project_id: projectId, sort_by, include_costs: true })
  const calls = lines.map((line) => ReadCall.parse(line))
  const modelCalls = findModelCalls(calls)
  const costs = modelCalls.flatMap(({ summary }) => Object.values(summary.weave.costs ?? {}))
  const sent = served.map((reply) => withoutUnsent(client, reply))
  const total = (count: keyof ServedReply['usage']) => sum(served.map(({ usage }) => usage[count]))
  const found = (name: keyof z.infer<typeof Costs>) => sum(costs.map((each) => each[name] ?? 0))
  const readers: Record<Aspect, () => Finding | Promise<Finding>> = {
    arrives: () => (calls.length >= served.length ? undefined : `${served.length} model calls, ${calls.length} arrived`),
    model: () =>
      compare(
        [...new Set(served.map(({ model }) => model))].toSorted(),
        [...new Set(modelCalls.flatMap(({ summary }) => Object.keys(summary.usage ?? {}).map(toVersion)))].toSorted(),
      ),
    tokens: () => compare([total('input'), total('output')], [found('prompt_tokens'), found('completion_tokens')]),
    cached: () =>
      compare(
        [total('cacheRead'), total('cacheWrite')],
        [found('cache_read_input_tokens'), found('cache_creation_input_tokens')],
      ),
    reasoning: () => compare(total('reasoning'), sum(modelCalls.map(({ summary }) => countReasoning(summary.usage)))),
    cost: () => compareCosts(sum(sent.map(toDollars)), sum(costs.map(sumCosts))),
    'thread and turn': () => compareThread(client, projectId, served, spool),
    'inputs and outputs': () => findMissingText(calls),
    error: () => {
      const failed = calls.filter(({ exception }) => exception?.includes(refusalMessage))
      return failed.some(({ summary }) => summary.weave.status === 'error')
        ? undefined
        : `no call has the exception "${refusalMessage}"; exceptions: ${JSON.stringify(calls.flatMap(({ exception }) => exception ?? []))}`
    },
  }
  const findings = await Promise.all(aspects.map(async (aspect) => [aspect, await readers[aspect]()] as const))
  return Object.fromEntries(findings) as Findings // one entry for each aspect
}

/** Calls that report usage while none below them does: frameworks repeat the sums of what is below. */
function findModelCalls(calls: readonly ReadCall[]): ReadCall[] {
  const parents = new Map(calls.map(({ id, parent_id: parentId }) => [id, parentId]))
  const hasUsage = ({ summary }: ReadCall) => Object.keys(summary.usage ?? {}).length > 0
  const above = new Set<string>()
  for (const call of calls.filter(hasUsage)) {
    for (let id = parents.get(call.id); id !== undefined && id !== null && !above.has(id); id = parents.get(id)) above.add(id)
  }
  return calls.filter((call) => hasUsage(call) && !above.has(call.id))
}

/** The usage as the client sends it: what it leaves out, Spool cannot price. */
function withoutUnsent({ notSent = {} }: Client, reply: ServedReply): ServedReply {
  const unsentCache = notSent.cached === undefined ? {} : { cacheRead: 0, cacheWrite: 0 }
  const unsentReasoning = notSent.reasoning === undefined ? {} : { reasoning: 0 }
  return { ...reply, usage: { ...reply.usage, ...unsentCache, ...unsentReasoning } }
}

function toDollars({ provider, model, usage }: ServedReply): number {
  const counts = {
    input_tokens: usage.input,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    output_tokens: usage.output,
  }
  const price = calcPrice(counts, model, { providerId: provider })
  if (!price) throw new Error(`The price list has no price for ${model} of ${provider}.`)
  return price.total_price
}

function sumCosts(costs: z.infer<typeof Costs>): number {
  return (
    (costs.prompt_tokens_total_cost ?? 0) +
    (costs.completion_tokens_total_cost ?? 0) +
    (costs.cache_read_input_tokens_total_cost ?? 0) +
    (costs.cache_creation_input_tokens_total_cost ?? 0)
  )
}

function compareCosts(expected: number, actual: number): Finding {
  return Math.abs(expected - actual) <= 1e-9 * expected ? undefined : `expected $${expected}, found $${actual}`
}

function compare(expected: unknown, actual: unknown): Finding {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(actual)]
  return wanted === got ? undefined : `expected ${wanted}, found ${got}`
}

const Details = z.object({ reasoning_tokens: z.optional(z.nullable(z.number())) })
const Reasoning = z.object({
  reasoning_tokens: z.optional(z.nullable(z.number())),
  completion_tokens_details: z.optional(z.nullable(Details)),
  output_tokens_details: z.optional(z.nullable(Details)),
})

function countReasoning(usage: ReadCall['summary']['usage']): number {
  return sum(
    Object.values(usage ?? {}).map((counts) => {
      const { reasoning_tokens: own, completion_tokens_details: chat, output_tokens_details: responses } = Reasoning.parse(counts)
      return own ?? chat?.reasoning_tokens ?? responses?.reasoning_tokens ?? 0
    }),
  )
}

const ThreadTotals = z.object({
  usage: z.array(
    z.object({ models: z.record(z.string(), z.object({ prompt_tokens: z.number(), completion_tokens: z.number() })) }),
  ),
})

/** One thread with the expected turns, to which all tokens belong, each counted once. */
async function compareThread(
  { turnCount, notSent = {} }: Client,
  project_id: string,
  served: readonly ServedReply[],
  spool: SpoolClient,
): Promise<Finding> {
  const threads = await spool.postLines('/threads/stream_query', { project_id })
  const found = threads.map((line) => ReadThread.parse(line)).map((thread) => [thread.thread_id, thread.turn_count])
  const problem = compare([[threadId, turnCount]], found)
  if (problem !== undefined || notSent.tokens !== undefined) return problem
  const { usage } = ThreadTotals.parse(await spool.postJson('/threads/usage', { project_id, thread_ids: [threadId] }))
  const models = usage.flatMap((thread) => Object.values(thread.models))
  return compare(
    ['tokens of the thread', sum(served.map((reply) => reply.usage.input)), sum(served.map((reply) => reply.usage.output))],
    [
      'tokens of the thread',
      sum(models.map((model) => model.prompt_tokens)),
      sum(models.map((model) => model.completion_tokens)),
    ],
  )
}

/** Texts of the conversation, by the side of a call on which they must be found. */
const texts = [
  { side: 'inputs', words: ['What is the weather in Paris?'] },
  { side: 'output', words: ['get_weather', 'Paris'] },
  { side: 'inputs', words: ['21 degrees'] },
  { side: 'output', words: ['The weather: ', '21 degrees'] },
  { side: 'output', words: ['You said: Say hello'] },
] as const

function findMissingText(calls: readonly ReadCall[]): Finding {
  const missing = texts.filter(
    ({ side, words }) => !calls.some((call) => words.every((word) => JSON.stringify(call[side] ?? null).includes(word))),
  )
  return missing.length === 0
    ? undefined
    : `missing: ${missing.map(({ side, words }) => `"${words.join('" with "')}" in ${side}`).join(', ')}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
