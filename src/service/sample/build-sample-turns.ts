import { buildAnswerCalls, buildCachedAnswerCall, type ChatMessage } from './build-answer-calls'
import type { Outcome, SampleCall, SampleTurn } from './build-sample-calls'
import type { Random } from './random'
import type { SampleTexts, Topic } from './sample-texts'

const ordinaryThreadCount = 62
const dayMs = 86_400_000
const microsecondsPerMs = 1000n

type SampleThread = {
  id: string
  turnCount: number
  /** When its first turn starts; random where it is not given. */
  daysAgo?: number
  everyOutcome?: Outcome
  lastOutcome?: Outcome
  speed?: 'cached' | 'slow'
}

const timeout = 'TimeoutError: the model did not answer within 60 s'
const rateLimit = 'RateLimitError: 429, the model provider asks to wait 20 s'
const toolFailure = "OrderServiceError: lookup_order answered 502, 'upstream connect error'"

/** The cases that a dashboard has to show right: a single turn, no finished turn, failures, unusual ids, extreme durations. */
const edgeCaseThreads: readonly SampleThread[] = [
  { id: 'ticket-50001', turnCount: 1 },
  { id: 'ticket-50002', turnCount: 1, lastOutcome: { exception: timeout } },
  { id: 'ticket-50003', turnCount: 1, lastOutcome: 'running', daysAgo: 0.004 },
  { id: 'ticket-50004', turnCount: 6, lastOutcome: 'running', daysAgo: 0.02 },
  { id: 'ticket-50005', turnCount: 12, lastOutcome: { exception: rateLimit } },
  { id: 'ticket-50006', turnCount: 5, everyOutcome: { exception: toolFailure } },
  // Nearly every answer comes from the cache within milliseconds; one took minutes because a person gave it.
  { id: 'faq-kiosk-lübeck', turnCount: 48, speed: 'cached' },
  { id: 'ticket-50007-escalated', turnCount: 9, speed: 'slow' },
  { id: '返品-2026-東京', turnCount: 4 },
  { id: 'заказ-50008', turnCount: 3 },
  { id: 'café ☕ / "quotes" & <b>tags</b>', turnCount: 2 },
  { id: `imported-${'0123456789abcdef'.repeat(19)}`.slice(0, 300), turnCount: 3 },
]

/** Builds every turn of the sample, thread by thread, over the fourteen days before `endMs` (milliseconds since 1970). */
export function buildSampleTurns(texts: SampleTexts, random: Random, endMs: number): SampleTurn[] {
  const ordinaryThreads = Array.from({ length: ordinaryThreadCount }, (_, index): SampleThread => {
    const failure = random.chance(0.08) ? { lastOutcome: { exception: random.pick([timeout, rateLimit, toolFailure]) } } : {}
    return { id: `ticket-${48_200 + index * 7}`, turnCount: random.chance(0.1) ? 1 : random.integer(3, 13), ...failure }
  })
  return [...ordinaryThreads, ...edgeCaseThreads].flatMap((thread) => buildThreadTurns(thread, texts, random, endMs))
}

function buildThreadTurns(thread: SampleThread, texts: SampleTexts, random: Random, endMs: number): SampleTurn[] {
  const fill = createPlaceholderFiller(texts, random)
  const { turnCount, daysAgo, speed } = thread
  const minDaysAgo = Math.max(0.3, turnCount * 0.012)
  let startMs = endMs - (daysAgo ?? random.between(minDaysAgo, 14)) * dayMs
  if (daysAgo !== undefined && turnCount > 1) startMs -= turnCount * 200_000
  const history: ChatMessage[] = []
  return pickExchanges(turnCount, texts, random).map((exchange, index): SampleTurn => {
    const question = fill(exchange.question)
    const answer = fill(exchange.answer)
    const isLast = index === turnCount - 1
    const isAnsweredByPerson = (speed === 'slow' && index === 4) || (speed === 'cached' && index === 30)
    const personDurationMs = isAnsweredByPerson ? random.between(240_000, 420_000) : 0
    history.push({ role: 'user', content: question })
    const calls =
      speed === 'cached' && !isAnsweredByPerson
        ? [buildCachedAnswerCall(random, question, answer)]
        : buildAnswerCalls({ random, topic: exchange.topic, fill, history: [...history], answer, personDurationMs })
    history.push({ role: 'assistant', content: answer })
    const turn: SampleTurn = {
      threadId: thread.id,
      startMicroseconds: BigInt(Math.round(startMs)) * microsecondsPerMs + BigInt(random.integer(0, 999)),
      inputs: { message: question, customer: fill('{name}'), topic: exchange.topic.name },
      output: { message: answer, sources: exchange.topic.articles.slice(0, 2) },
      calls,
      outcome: thread.everyOutcome ?? (isLast ? thread.lastOutcome : undefined) ?? 'success',
    }
    const pauseMs = daysAgo === undefined ? random.logNormal(70_000, 0.9) : random.between(20_000, 90_000)
    startMs += sumDurationMs(calls) + Math.min(pauseMs, 900_000)
    return turn
  })
}

function sumDurationMs(calls: readonly SampleCall[]): number {
  return calls.reduce((sum, call) => sum + call.durationMs + sumDurationMs(call.children ?? []), 0)
}

type Exchange = { topic: Topic; question: string; answer: string }

/** Picks whole topics, one after the other, until there are enough exchanges. */
function pickExchanges(count: number, { topics }: SampleTexts, random: Random): Exchange[] {
  const exchanges: Exchange[] = []
  while (exchanges.length < count) {
    const topic = random.pick(topics)
    const opening = random.pick(topic.openings)
    for (const [question, answer] of topic.exchanges) {
      exchanges.push({ topic, question: question.replace('{opening}', opening), answer })
    }
  }
  return exchanges.slice(0, count)
}

/** Makes a function that fills the placeholders of a thread's texts, every time with the same values. */
function createPlaceholderFiller({ products, cities, streets, names }: SampleTexts, random: Random): (text: string) => string {
  const values: Readonly<Record<string, string>> = {
    order: `HP-${random.integer(100_000, 999_999)}`,
    number: String(random.integer(10_000, 99_999)),
    amount: `€${random.integer(19, 349)}.${random.pick(['00', '50', '90', '95'])}`,
    product: random.pick(products),
    city: random.pick(cities),
    street: random.pick(streets),
    name: random.pick(names),
    size: random.pick(['S', 'M', 'L', 'XL', '42', '44']),
  }
  return (text) => text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
