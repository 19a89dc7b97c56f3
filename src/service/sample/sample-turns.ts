import type { Random } from './random'
import type { SampleStep, Turn } from './sample-calls'
import { cities, names, products, streets, type Topic, topics } from './topics'

const ordinaryThreads = 62
const dayMs = 86_400_000
const microsecondsPerMs = 1000n

/** How a thread departs from the ordinary. */
type Shape = {
  id: string
  turns: number
  daysAgo?: number
  every?: Turn['ending']
  last?: Turn['ending']
  speed?: 'cached' | 'slow'
}

const timeout = 'TimeoutError: the model did not answer within 60 s'
const rateLimit = 'RateLimitError: 429, the model provider asks to wait 20 s'
const toolFailure = "OrderServiceError: lookup_order answered 502, 'upstream connect error'"

/** What a person should find without looking for it: one turn, none finished, failures, odd ids, extremes. */
const hardThreads: readonly Shape[] = [
  { id: 'ticket-50001', turns: 1 },
  { id: 'ticket-50002', turns: 1, last: { exception: timeout } },
  { id: 'ticket-50003', turns: 1, last: 'running', daysAgo: 0.004 },
  { id: 'ticket-50004', turns: 6, last: 'running', daysAgo: 0.02 },
  { id: 'ticket-50005', turns: 12, last: { exception: rateLimit } },
  { id: 'ticket-50006', turns: 5, every: { exception: toolFailure } },
  // Nearly every answer from the cache in milliseconds, one that waited minutes for a person.
  { id: 'faq-kiosk-lübeck', turns: 48, speed: 'cached' },
  { id: 'ticket-50007-escalated', turns: 9, speed: 'slow' },
  { id: '返品-2026-東京', turns: 4 },
  { id: 'заказ-50008', turns: 3 },
  { id: 'café ☕ / "quotes" & <b>tags</b>', turns: 2 },
  { id: `imported-${'0123456789abcdef'.repeat(19)}`.slice(0, 300), turns: 3 },
]

/** Every turn of the sample, thread by thread, over the fourteen days before `endMs` (milliseconds since 1970). */
export function sampleTurns(random: Random, endMs: number): Turn[] {
  const ordinary = Array.from({ length: ordinaryThreads }, (_, index): Shape => {
    const failure = random.chance(0.08) ? { last: { exception: random.pick([timeout, rateLimit, toolFailure]) } } : {}
    return { id: `ticket-${48_200 + index * 7}`, turns: random.chance(0.1) ? 1 : random.whole(3, 13), ...failure }
  })
  return [...ordinary, ...hardThreads].flatMap((shape) => turnsOfThread(shape, random, endMs))
}

function turnsOfThread(shape: Shape, random: Random, endMs: number): Turn[] {
  const fill = filler(random)
  const latestStart = Math.max(0.3, shape.turns * 0.012)
  let startMs = endMs - (shape.daysAgo ?? random.between(latestStart, 14)) * dayMs
  if (shape.daysAgo !== undefined && shape.turns > 1) startMs -= shape.turns * 200_000
  const history: { role: string; content: string }[] = []
  return exchangesOf(shape, random).map(({ topic, question: rawQuestion, answer: rawAnswer }, index): Turn => {
    const question = fill(rawQuestion)
    const answer = fill(rawAnswer)
    const isLast = index === shape.turns - 1
    const ending = shape.every ?? (isLast ? shape.last : undefined) ?? 'done'
    const isLong = (shape.speed === 'slow' && index === 4) || (shape.speed === 'cached' && index === 30)
    const handOverMs = isLong ? random.between(240_000, 420_000) : 0
    history.push({ role: 'user', content: question })
    const steps =
      shape.speed === 'cached' && !isLong
        ? [cacheStep(random, question, answer)]
        : answerSteps({ random, topic, fill, history: [...history], answer, handOverMs })
    history.push({ role: 'assistant', content: answer })
    const turn: Turn = {
      threadId: shape.id,
      startMicroseconds: BigInt(Math.round(startMs)) * microsecondsPerMs + BigInt(random.whole(0, 999)),
      inputs: { message: question, customer: fill('{name}'), topic: topic.name },
      output: { message: answer, sources: topic.articles.slice(0, 2) },
      steps,
      ending,
    }
    const thinkingMs = shape.daysAgo === undefined ? random.around(70_000, 0.9) : random.between(20_000, 90_000)
    startMs += durationOf(steps) + Math.min(thinkingMs, 900_000)
    return turn
  })
}

function durationOf(steps: readonly SampleStep[]): number {
  return steps.reduce((sum, step) => sum + step.durationMs + durationOf(step.steps ?? []), 0)
}

/** What is said in a thread: one topic to its end, then whatever else is on the customer's mind. */
function exchangesOf({ turns }: Shape, random: Random): { topic: Topic; question: string; answer: string }[] {
  const exchanges: { topic: Topic; question: string; answer: string }[] = []
  while (exchanges.length < turns) {
    const topic = random.pick(topics)
    const opening = random.pick(topic.openings)
    exchanges.push(
      ...topic.exchanges.map(([question, answer]) => ({ topic, question: question.replace('{opening}', opening), answer })),
    )
  }
  return exchanges.slice(0, turns)
}

function cacheStep(random: Random, question: string, answer: string): SampleStep {
  return {
    op: 'answer_cache.get',
    kind: 'retrieval',
    inputs: { key: question.toLowerCase(), threshold: 0.94 },
    output: { hit: true, similarity: Number(random.between(0.95, 1).toFixed(3)), answer },
    durationMs: random.around(5, 0.4),
  }
}

type AnswerInput = {
  random: Random
  topic: Topic
  fill: (text: string) => string
  history: { role: string; content: string }[]
  answer: string
  /** How long a person took, 0 where none was asked. */
  handOverMs: number
}

function answerSteps({ random, topic, fill, history, answer, handOverMs }: AnswerInput): SampleStep[] {
  const question = history.at(-1)?.content ?? ''
  const model = random.pick(['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash'])
  const words = history.reduce((sum, { content }) => sum + content.split(' ').length, 0)
  const prompt = 420 + Math.round(words * 1.4)
  const articles = topic.articles.map((title) => ({ title, score: Number(random.between(0.62, 0.93).toFixed(3)) }))
  const retrieval: SampleStep = {
    op: 'knowledge_base.search',
    kind: 'retrieval',
    inputs: { query: question, top_k: topic.articles.length },
    output: articles.toSorted((left, right) => right.score - left.score),
    durationMs: random.around(18, 0.5),
    steps: [
      {
        op: 'openai.embeddings.create',
        kind: 'llm',
        inputs: { model: 'text-embedding-3-small', input: question },
        output: { dimensions: 1536 },
        durationMs: random.around(65, 0.4),
        tokens: {
          model: 'text-embedding-3-small',
          prompt: Math.max(3, Math.round(question.split(' ').length * 1.3)),
          completion: 0,
        },
      },
    ],
  }
  const tool: SampleStep = {
    op: topic.tool.name,
    kind: 'tool',
    inputs: Object.fromEntries(topic.tool.arguments.map((name) => [name, fill(argumentText[name] ?? '{product}')])),
    output: Object.fromEntries(
      Object.entries(topic.tool.result).map(([key, value]) => [key, typeof value === 'string' ? fill(value) : value]),
    ),
    durationMs: random.around(140, 0.7),
  }
  const chat = (messages: unknown, reply: unknown, completion: number): SampleStep => ({
    op: opByModel[model],
    kind: 'llm',
    inputs: { model, temperature: 0.2, messages },
    output: reply,
    durationMs: random.around(completion * 14 + 260, 0.45),
    tokens: { model, prompt, completion },
  })
  const system = {
    role: 'system',
    content: 'You answer customers of Harbor & Pine. Be brief, kind and exact. Never invent order data.',
  }
  const handOver: SampleStep = {
    op: 'hand_over_to_person',
    kind: 'tool',
    inputs: { queue: 'second-line', summary: `Customer asks: ${question}` },
    output: { answered_by: fill('{name}'), note: 'Checked with the warehouse by phone.' },
    durationMs: handOverMs,
  }
  const completion = Math.round(answer.split(' ').length * 1.4) + random.whole(0, 30)
  const usesTool = random.chance(0.55)
  const call = { tool_call: { name: topic.tool.name, arguments: tool.inputs } }
  return [
    retrieval,
    ...(usesTool ? [chat([system, ...history], call, random.whole(18, 42)), tool] : []),
    ...(handOverMs > 0 ? [handOver] : []),
    chat(
      [system, ...history, ...(usesTool ? [{ role: 'tool', content: tool.output }] : [])],
      { role: 'assistant', content: answer },
      completion,
    ),
  ]
}

const opByModel = {
  'gpt-4o-mini': 'openai.chat.completions.create',
  'gpt-4.1': 'openai.chat.completions.create',
  'claude-sonnet-4-5': 'anthropic.messages.create',
  'gemini-2.5-flash': 'google.models.generate_content',
} as const

const argumentText: Readonly<Record<string, string>> = {
  order: '{order}',
  item: '{product}',
  query: '{product}',
  size: '{size}',
  category: 'stoves',
  photos: '2',
  reason: 'customer request',
  vat_id: 'DE 811 {number}',
}

/** Fills the blanks of a thread's texts, with the same words throughout. */
function filler(random: Random): (text: string) => string {
  const blanks: Readonly<Record<string, string>> = {
    order: `HP-${random.whole(100_000, 999_999)}`,
    number: String(random.whole(10_000, 99_999)),
    amount: `€${random.whole(19, 349)}.${random.pick(['00', '50', '90', '95'])}`,
    product: random.pick(products),
    city: random.pick(cities),
    street: random.pick(streets),
    name: random.pick(names),
    size: random.pick(['S', 'M', 'L', 'XL', '42', '44']),
  }
  return (text) => text.replaceAll(/\{(\w+)\}/g, (blank, name: string) => blanks[name] ?? blank)
}
