// OpenInference's instrumentation of OpenAI's client; the session is set in the context.
import { setSession } from '@arizeai/openinference-core'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import { context } from '@opentelemetry/api'
import OpenAI from 'openai'
import { converse } from './conversation.mjs'
import { openAiTurns } from './openai-turns.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const instrumentation = new OpenAIInstrumentation()
const sdk = startOpenTelemetry({ instrumentations: [instrumentation] })
instrumentation.manuallyInstrument(OpenAI)
await context.with(setSession(context.active(), { sessionId: process.env.THREAD_ID }), () =>
  converse(openAiTurns(new OpenAI({ maxRetries: 0 }))),
)
await sdk.shutdown()
