// A Mastra agent with Mastra's exporter for OpenTelemetry; the thread of its memory is the session.
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'
import { createOpenAI } from '@ai-sdk/openai'
import * as z from 'zod'
import { converse, getWeather } from './conversation.mjs'

const endpoint = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`
const headers = { 'wandb-api-key': process.env.SPOOL_KEY, project_id: process.env.SPOOL_PROJECT }
const exporter = new OtelExporter({ provider: { custom: { endpoint, protocol: 'http/protobuf', headers } } })
const weatherTool = createTool({
  id: 'get_weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async (input) => getWeather(input),
})
const agent = new Agent({
  id: 'weather-agent',
  name: 'weather agent',
  instructions: 'Answer briefly.',
  model: createOpenAI().chat('gpt-5-mini'),
  tools: { get_weather: weatherTool },
  maxRetries: 0,
})
const observability = new Observability({ configs: { otel: { serviceName: 'support', exporters: [exporter] } } })
const mastra = new Mastra({ agents: { weather: agent }, observability, logger: false })
const options = { tracingOptions: { metadata: { threadId: process.env.THREAD_ID, sessionId: process.env.THREAD_ID } } }
const weather = mastra.getAgent('weather')
await converse({
  askWeather: (question) => weather.generate(question, options),
  sayHello: async (question) => (await weather.stream(question, options)).text,
  fail: (question) => weather.generate(question, options),
})
await mastra.shutdown()
