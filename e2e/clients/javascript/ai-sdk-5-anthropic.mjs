// Vercel's AI SDK 5 and Anthropic, with its own telemetry; the session is metadata.
import { createAnthropic } from 'ai-5-anthropic'
import { generateText, stepCountIs, streamText, tool } from 'ai-5'
import * as z from 'zod'
import { converse, getWeather } from './conversation.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const sdk = startOpenTelemetry()
const anthropic = createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` })
const weatherTool = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: getWeather,
})
const shared = {
  model: anthropic('claude-haiku-4-5'),
  maxRetries: 0,
  experimental_telemetry: {
    isEnabled: true,
    functionId: 'support',
    metadata: { sessionId: process.env.THREAD_ID, userId: 'kim' },
  },
}
await converse({
  askWeather: (prompt) => generateText({ ...shared, prompt, tools: { get_weather: weatherTool }, stopWhen: stepCountIs(3) }),
  sayHello: (prompt) => streamText({ ...shared, prompt }).text,
  fail: (prompt) => generateText({ ...shared, prompt }),
})
await sdk.shutdown()
