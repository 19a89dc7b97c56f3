import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, Language } from './client'
import type { ServedReply } from './model-endpoints/endpoint'
import { only } from './only'
import { runProcess } from './run-process'

const folder = 'e2e/clients/javascript'
const installTimeoutMs = 600_000

const noTokens = only()
const noThreads = { 'thread and turn': "Weave's npm SDK has no threads" }
const streamsOfOpenInference = {
  toSent: (reply: ServedReply) => (reply.isStream ? noTokens(reply) : reply.usage),
  reason: 'the instrumentation counts no tokens of a stream of chat completions',
}
const streamsOfWeave = {
  toSent: (reply: ServedReply) =>
    reply.isStream
      ? {
          ...noTokens(reply),
          input: reply.usage.input - reply.usage.cacheRead - reply.usage.cacheWrite,
          output: reply.usage.output,
        }
      : reply.usage,
  reason: 'the SDK sends no cached tokens of a stream, which Anthropic counts beside the others',
}

const clients: readonly Client[] = [
  {
    name: 'ai-sdk-5',
    turnCount: 3,
    usage: {
      toSent: (reply) => (reply.isStream ? reply.usage : only('input', 'output')(reply)),
      reason: 'generateText reports only input and output tokens',
    },
  },
  { name: 'ai-sdk-5-anthropic', turnCount: 3 },
  {
    name: 'ai-sdk-7',
    turnCount: 3,
    usage: { toSent: only('input', 'output', 'cacheRead', 'cacheWrite'), reason: 'the SDK reports no reasoning tokens' },
  },
  { name: 'ai-sdk-7-legacy', turnCount: 3 },
  { name: 'langchain-openinference', turnCount: 3 },
  { name: 'langfuse', turnCount: 3 },
  {
    name: 'mastra',
    turnCount: 3,
    texts: { unsent: ['tool result'], reason: 'Mastra shortens it to "[tool-result: get_weather]" in the messages' },
  },
  { name: 'openai-agents', turnCount: 3 },
  // Without a span of the program around them, each of the four requests is a turn.
  { name: 'openinference-anthropic', turnCount: 4 },
  {
    name: 'openinference-openai',
    turnCount: 3,
    usage: streamsOfOpenInference,
    notSent: { error: 'the instrumentation ends no span of a request that fails' },
  },
  {
    name: 'openlit',
    turnCount: 3,
    usage: { toSent: only('input', 'output', 'cacheRead', 'cacheWrite'), reason: 'OpenLIT reports no reasoning tokens' },
  },
  {
    name: 'otel-openai',
    turnCount: 3,
    usage: { toSent: only('input', 'output'), reason: 'the instrumentation reports only input and output tokens' },
  },
  { name: 'phoenix', turnCount: 3, usage: streamsOfOpenInference },
  { name: 'traceloop-anthropic', turnCount: 3 },
  {
    name: 'traceloop-openai',
    turnCount: 2,
    usage: {
      // Tokens of "Say hello" and "You said: Say hello".
      toSent: (reply) => (reply.isStream ? { ...noTokens(reply), input: 2, output: 5 } : only('input', 'output')(reply)),
      reason: 'the SDK reports only input and output tokens, those of a stream by its own tokenizer',
    },
    notSent: { error: 'the SDK ends no span of a workflow that fails' },
  },
  { name: 'weave-0.11-anthropic', turnCount: 0, usage: streamsOfWeave, notSent: noThreads },
  { name: 'weave-0.11-openai', turnCount: 0, notSent: noThreads },
  { name: 'weave-0.9-anthropic', turnCount: 0, usage: streamsOfWeave, notSent: noThreads },
  { name: 'weave-0.9-openai', turnCount: 0, notSent: noThreads },
]

export const javascript: Language = {
  name: 'JavaScript',
  clients,
  install: async () => {
    const wanted = readFileSync(join(folder, 'package-lock.json'), 'utf8')
    const record = join(folder, 'node_modules/.installed-lock.json')
    if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return undefined
    const command = ['npm', 'ci', '--prefer-offline', '--prefix', folder] as const
    const { code, output } = await runProcess(command, process.env, installTimeoutMs)
    if (code !== 0) return `npm ci failed: ${output.trim().split('\n').at(-1) ?? ''}`
    writeFileSync(record, wanted)
    return undefined
  },
  toCommand: ({ name }) => [process.execPath, join(folder, `${name}.mjs`)],
}
