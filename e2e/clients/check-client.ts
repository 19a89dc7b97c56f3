import { setTimeout as wait } from 'node:timers/promises'
import { calcPrice } from '@pydantic/genai-prices'
import * as z from 'zod/mini'
import type { SpoolClient } from '../spool-client'
import { type Aspect, type Client, type ConversationText, conversationTexts } from './client'
import { refusalMessage, type ReplyUsage, toVersion } from './model-endpoints/choose-reply'
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
  attributes: z.object({ otel_span: z.optional(z.object({ scope: z.object({ name: z.string() }) })) }),
  inputs: z.unknown(),
  output: z.unknown(),
  summary: z.object({
    usage: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
    weave: z.object({ status: z.string(), costs: z.optional(z.record(z.string(), Costs)) }),
  }),
})
type ReadCall = z.infer<typeof ReadCall>

const ReadThread = z.object({ thread_id: z.string(), turn_count: z.number() })

/** What is expected and what was found, where these differ. */
type Difference = string | undefined
/** `sent`: how much of what the model endpoints served the client sends at all. */
type Finding = { difference: Difference; sent: 'all' | 'part' | 'nothing' }
export type Findings = Readonly<Record<Aspect, Finding>>

/** Compares what Spool returns for the project of a client with what the model endpoints served to it. */
export async function checkClient(
  client: Client,
  projectId: string,
  served: readonly ServedReply[],
  spool: SpoolClient,
): Promise<Findings> {
  const sort_by = [{ field: 'started_at', direction: 'asc' }]
  const lines = await postUntilDerived(spool, '/calls/stream_query', { project_id: projectId, sort_by, include_costs: true })
  const calls = lines.map((line) => ReadCall.parse(line))
  const modelCalls = findModelCalls(calls, client)
  const costs = modelCalls.flatMap(({ summary }) => Object.values(summary.weave.costs ?? {}))
  const found = (name: keyof z.infer<typeof Costs>) => sum(costs.map((each) => each[name] ?? 0))

  const { toSent = toUsageOf(client) } = client.usage ?? {}
  const sent = served.map((reply) => ({ ...reply, usage: toSent(reply) }))
  const compareCounts = (counts: readonly (keyof ReplyUsage)[], actual: readonly number[]): Finding => {
    const total = (replies: readonly ServedReply[]) => counts.map((count) => sum(replies.map(({ usage }) => usage[count])))
    return { difference: compare(total(sent), actual), sent: toShare(sum(total(served)), sum(total(sent))) }
  }
  const whole = (difference: Difference): Finding => ({ difference, sent: 'all' })
  const [servedDollars, sentDollars] = [sum(served.map(toDollars)), sum(sent.map(toDollars))]

  return {
    arrives: whole(calls.length >= served.length ? undefined : `${served.length} model calls, ${calls.length} arrived`),
    model: whole(compare(toNames(served.map(({ model }) => model)), toNames(modelCalls.flatMap(readModels)))),
    tokens: compareCounts(['input', 'output'], [found('prompt_tokens'), found('completion_tokens')]),
    cached: compareCounts(['cacheRead', 'cacheWrite'], [found('cache_read_input_tokens'), found('cache_creation_input_tokens')]),
    reasoning: compareCounts(['reasoning'], [sum(modelCalls.map(({ summary }) => countReasoning(summary.usage)))]),
    cost: {
      difference: compareCosts(sentDollars, sum(costs.map(sumCosts))),
      sent: toShare(servedDollars, sentDollars),
    },
    'thread and turn': whole(await compareThread(client, projectId, sent, spool)),
    'inputs and outputs': findTexts(client, calls),
    error: whole(compareError(calls)),
  }
}

/** On a busy machine Spool may ask to try again, because the turns of the project are not derived yet. */
async function postUntilDerived(spool: SpoolClient, path: string, body: object): Promise<Record<string, unknown>[]> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await spool.postLines(path, body)
    } catch (error) {
      if (attempts === 10 || !String(error).includes('derivation_behind')) throw error
      await wait(3000)
    }
  }
}

function toShare(served: number, sent: number): Finding['sent'] {
  if (sent === 0) return 'nothing'
  return sent === served ? 'all' : 'part'
}

/** The usage without the kinds of tokens that the client never sends. */
function toUsageOf({ notSent = {} }: Client) {
  return ({ usage }: ServedReply): ReplyUsage => ({
    ...usage,
    ...(notSent.cached === undefined ? {} : { cacheRead: 0, cacheWrite: 0 }),
    ...(notSent.reasoning === undefined ? {} : { reasoning: 0 }),
  })
}

function toNames(models: readonly string[]): string[] {
  return [...new Set(models.map(toVersion))].toSorted()
}

function readModels({ summary }: ReadCall): string[] {
  return Object.keys(summary.usage ?? {})
}

function compareError(calls: readonly ReadCall[]): Difference {
  const failed = calls.filter(({ exception }) => exception?.includes(refusalMessage))
  if (failed.some(({ summary }) => summary.weave.status === 'error')) return undefined
  const exceptions = calls.flatMap(({ exception }) => exception ?? [])
  return `no failed call has the exception "${refusalMessage}"; exceptions: ${JSON.stringify(exceptions)}`
}

/** Calls that report usage while none below them does: frameworks repeat the sums of what is below. */
function findModelCalls(calls: readonly ReadCall[], { repeatingLibrary }: Client): ReadCall[] {
  const parents = new Map(calls.map(({ id, parent_id: parentId }) => [id, parentId]))
  const hasUsage = ({ summary }: ReadCall) => Object.keys(summary.usage ?? {}).length > 0
  const above = new Set<string>()
  for (const call of calls.filter(hasUsage)) {
    for (let id = parents.get(call.id); id !== undefined && id !== null && !above.has(id); id = parents.get(id)) above.add(id)
  }
  const isRepeating = ({ attributes }: ReadCall) =>
    repeatingLibrary !== undefined && attributes.otel_span?.scope.name === repeatingLibrary
  return calls.filter((call) => hasUsage(call) && !above.has(call.id) && !isRepeating(call))
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

function compareCosts(expected: number, actual: number): Difference {
  return Math.abs(expected - actual) <= 1e-9 * expected ? undefined : `expected $${expected}, found $${actual}`
}

function compare(expected: unknown, actual: unknown, what = ''): Difference {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(actual)]
  return wanted === got ? undefined : `${what && `${what}: `}expected ${wanted}, found ${got}`
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
  { turnCount }: Client,
  project_id: string,
  sent: readonly ServedReply[],
  spool: SpoolClient,
): Promise<Difference> {
  const threads = await postUntilDerived(spool, '/threads/stream_query', { project_id })
  const found = threads.map((line) => ReadThread.parse(line)).map((thread) => [thread.thread_id, thread.turn_count])
  const problem = compare([[threadId, turnCount]], found)
  if (problem !== undefined) return problem
  const { usage } = ThreadTotals.parse(await spool.postJson('/threads/usage', { project_id, thread_ids: [threadId] }))
  const models = usage.flatMap((thread) => Object.values(thread.models))
  return compare(
    [sum(sent.map((reply) => reply.usage.input)), sum(sent.map((reply) => reply.usage.output))],
    [sum(models.map((model) => model.prompt_tokens)), sum(models.map((model) => model.completion_tokens))],
    'tokens of the thread',
  )
}

/** Texts of the conversation, and the side of a call on which they must be found. */
const texts: Readonly<Record<ConversationText, { side: 'inputs' | 'output'; words: readonly string[] }>> = {
  question: { side: 'inputs', words: ['What is the weather in Paris?'] },
  'tool call': { side: 'output', words: ['get_weather', 'Paris'] },
  'tool result': { side: 'inputs', words: ['21 degrees'] },
  reply: { side: 'output', words: ['The weather: ', '21 degrees'] },
  'streamed reply': { side: 'output', words: ['You said: Say hello'] },
}

function findTexts({ texts: { unsent } = { unsent: [], reason: '' } }: Client, calls: readonly ReadCall[]): Finding {
  const missing = conversationTexts.filter((name) => {
    const { side, words } = texts[name]
    return !calls.some((call) => words.every((word) => JSON.stringify(call[side] ?? null).includes(word)))
  })
  return {
    difference: compare(
      conversationTexts.filter((name) => unsent.includes(name)),
      missing,
      'missing',
    ),
    sent: unsent.length > 0 ? 'part' : 'all',
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
