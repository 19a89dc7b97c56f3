// Vercel's AI SDK 7 with telemetry in the attributes of its earlier versions; the session is runtime context.
import { createOpenAI } from '@ai-sdk/openai'
import { LegacyOpenTelemetry } from '@ai-sdk/otel'
import { generateText, registerTelemetry, stepCountIs, streamText, tool } from 'ai'
import * as z from 'zod'
import { converse, getWeather } from './conversation.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const sdk = startOpenTelemetry()
registerTelemetry(new LegacyOpenTelemetry())
const openai = createOpenAI()
const weatherTool = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: getWeather,
})
const shared = {
  model: openai('gpt-5-mini'),
  maxRetries: 0,
  runtimeContext: { sessionId: process.env.THREAD_ID, userId: 'kim' },
  telemetry: { functionId: 'support', includeRuntimeContext: { sessionId: true, userId: true } },
}
await converse({
  askWeather: (prompt) => generateText({ ...shared, prompt, tools: { get_weather: weatherTool }, stopWhen: stepCountIs(3) }),
  sayHello: (prompt) => streamText({ ...shared, prompt }).text,
  fail: (prompt) => generateText({ ...shared, prompt }),
})
await sdk.shutdown()
