// Langfuse's SDK: its span processor, its tracing functions and its wrapper of OpenAI's client.
import { observeOpenAI } from '@langfuse/openai'
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { observe, propagateAttributes } from '@langfuse/tracing'
import OpenAI from 'openai'
import { converse, getWeather } from './conversation.mjs'
import { openAiTurns } from './openai-turns.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const processor = new LangfuseSpanProcessor({
  baseUrl: process.env.SPOOL_URL,
  publicKey: 'api',
  secretKey: process.env.SPOOL_KEY,
  additionalHeaders: { project_id: process.env.SPOOL_PROJECT },
})
const sdk = startOpenTelemetry({ spanProcessors: [processor] })
const openai = observeOpenAI(new OpenAI({ maxRetries: 0 }))
const turns = openAiTurns(openai, observe(getWeather, { name: 'get_weather', asType: 'tool' }))
await propagateAttributes({ sessionId: process.env.THREAD_ID, userId: 'kim' }, () =>
  converse({
    askWeather: observe(turns.askWeather, { name: 'ask weather' }),
    sayHello: observe(turns.sayHello, { name: 'say hello' }),
    fail: observe(turns.fail, { name: 'fail' }),
  }),
)
await sdk.shutdown()
