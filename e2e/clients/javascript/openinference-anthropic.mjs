// OpenInference's instrumentation of Anthropic's client; the session is set in the context.
import Anthropic from '@anthropic-ai/sdk'
import { setSession } from '@arizeai/openinference-core'
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic'
import { context } from '@opentelemetry/api'
import { converse } from './conversation.mjs'
import { anthropicTurns } from './anthropic-turns.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const instrumentation = new AnthropicInstrumentation()
const sdk = startOpenTelemetry({ instrumentations: [instrumentation] })
instrumentation.manuallyInstrument(Anthropic)
await context.with(setSession(context.active(), { sessionId: process.env.THREAD_ID }), () =>
  converse(anthropicTurns(new Anthropic({ maxRetries: 0 }))),
)
await sdk.shutdown()
