import type { SampleCall } from './build-sample-calls'
import type { Random } from './random'
import type { Topic } from './sample-texts'

export type ChatMessage = { role: string; content: string }

type AnswerInput = {
  random: Random
  topic: Topic
  /** Fills the placeholders of a text. */
  fill: (text: string) => string
  /** The thread so far; the last message is the question. */
  history: readonly ChatMessage[]
  answer: string
  /** How long a person took to answer; 0 where none was asked. */
  personDurationMs: number
}

const opNameByModel = {
  'gpt-4o-mini': 'openai.chat.completions.create',
  'gpt-4.1': 'openai.chat.completions.create',
  'claude-sonnet-4-5': 'anthropic.messages.create',
  'gemini-2.5-flash': 'google.models.generate_content',
} as const

const toolArguments: Readonly<Record<string, string>> = {
  order: '{order}',
  item: '{product}',
  query: '{product}',
  size: '{size}',
  category: 'stoves',
  photos: '2',
  reason: 'customer request',
  vat_id: 'DE 811 {number}',
}

const systemMessage: ChatMessage = {
  role: 'system',
  content: 'You answer customers of Harbor & Pine. Be brief, kind and exact. Never invent order data.',
}

export function buildCachedAnswerCall(random: Random, question: string, answer: string): SampleCall {
  return {
    opName: 'answer_cache.get',
    kind: 'retrieval',
    inputs: { key: question.toLowerCase(), threshold: 0.94 },
    output: { hit: true, similarity: Number(random.between(0.95, 1).toFixed(3)), answer },
    durationMs: random.logNormal(5, 0.4),
  }
}

/** Builds the calls of a turn: a search for articles, sometimes a tool, sometimes a person, and the model's answer. */
export function buildAnswerCalls({ random, topic, fill, history, answer, personDurationMs }: AnswerInput): SampleCall[] {
  const question = history.at(-1)?.content ?? ''
  const model = random.pick(['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash'])
  const promptTokens = 420 + Math.round(history.reduce((sum, { content }) => sum + countWords(content), 0) * 1.4)
  // The beginning of a conversation is cached once it has been sent, in steps of 128 tokens.
  const cachedTokens = history.length > 1 ? Math.floor((promptTokens * 0.8) / 128) * 128 : 0
  const chat = (messages: unknown, output: unknown, completionTokens: number): SampleCall => ({
    opName: opNameByModel[model],
    kind: 'llm',
    inputs: { model, temperature: 0.2, messages },
    output,
    durationMs: random.logNormal(completionTokens * 14 + 260, 0.45),
    tokens: { model, prompt: promptTokens, cached: cachedTokens, completion: completionTokens },
  })
  const retrieval = buildRetrievalCall(random, topic, question)
  const tool = buildToolCall(random, topic, fill)
  const person: SampleCall = {
    opName: 'hand_over_to_person',
    kind: 'tool',
    inputs: { queue: 'second-line', summary: `Customer asks: ${question}` },
    output: { answered_by: fill('{name}'), note: 'Checked with the warehouse by phone.' },
    durationMs: personDurationMs,
  }
  const answerTokens = Math.round(countWords(answer) * 1.4) + random.integer(0, 30)
  const usesTool = random.chance(0.55)
  const messages = [systemMessage, ...history]
  const toolRequest = { tool_call: { name: topic.tool.name, arguments: tool.inputs } }
  return [
    retrieval,
    ...(usesTool ? [chat(messages, toolRequest, random.integer(18, 42)), tool] : []),
    ...(personDurationMs > 0 ? [person] : []),
    chat(
      [...messages, ...(usesTool ? [{ role: 'tool', content: tool.output }] : [])],
      { role: 'assistant', content: answer },
      answerTokens,
    ),
  ]
}

function buildRetrievalCall(random: Random, topic: Topic, question: string): SampleCall {
  const articles = topic.articles.map((title) => ({ title, score: Number(random.between(0.62, 0.93).toFixed(3)) }))
  return {
    opName: 'knowledge_base.search',
    kind: 'retrieval',
    inputs: { query: question, top_k: topic.articles.length },
    output: articles.toSorted((a, b) => b.score - a.score),
    durationMs: random.logNormal(18, 0.5),
    children: [
      {
        opName: 'openai.embeddings.create',
        kind: 'llm',
        inputs: { model: 'text-embedding-3-small', input: question },
        output: { dimensions: 1536 },
        durationMs: random.logNormal(65, 0.4),
        tokens: {
          model: 'text-embedding-3-small',
          prompt: Math.max(3, Math.round(countWords(question) * 1.3)),
          completion: 0,
        },
      },
    ],
  }
}

function buildToolCall(random: Random, { tool }: Topic, fill: (text: string) => string): SampleCall {
  return {
    opName: tool.name,
    kind: 'tool',
    inputs: Object.fromEntries(tool.arguments.map((name) => [name, fill(toolArguments[name] ?? '{product}')])),
    output: Object.fromEntries(
      Object.entries(tool.result).map(([key, value]) => [key, typeof value === 'string' ? fill(value) : value]),
    ),
    durationMs: random.logNormal(140, 0.7),
  }
}

function countWords(text: string): number {
  return text.split(' ').length
}
