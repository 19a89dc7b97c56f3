// OpenTelemetry's own instrumentation of OpenAI's client. Messages are log records.
import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai'
import { converse } from './conversation.mjs'
import { openAiTurns } from './openai-turns.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const sdk = startOpenTelemetry({ instrumentations: [new OpenAIInstrumentation({ captureMessageContent: true })] })
const OpenAI = createRequire(import.meta.url)('openai')
const tracer = trace.getTracer('support')
const turns = openAiTurns(new OpenAI({ maxRetries: 0 }))
const inSpan = (name, run) => (question) =>
  tracer.startActiveSpan(name, { attributes: { 'gen_ai.conversation.id': process.env.THREAD_ID } }, (span) =>
    run(question).finally(() => span.end()),
  )
await converse({
  askWeather: inSpan('ask weather', turns.askWeather),
  sayHello: inSpan('say hello', turns.sayHello),
  fail: inSpan('fail', turns.fail),
})
await sdk.shutdown()
