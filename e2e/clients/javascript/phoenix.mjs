// Phoenix's setup of OpenTelemetry with an instrumentation of OpenInference.
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import { context, register, setSession, traceAgent, traceTool } from '@arizeai/phoenix-otel'
import OpenAI from 'openai'
import { converse, getWeather } from './conversation.mjs'
import { openAiTurns } from './openai-turns.mjs'

const instrumentation = new OpenAIInstrumentation()
const provider = register({
  projectName: 'support',
  url: process.env.SPOOL_URL,
  apiKey: process.env.SPOOL_KEY,
  headers: { project_id: process.env.SPOOL_PROJECT },
  instrumentations: [instrumentation],
})
instrumentation.manuallyInstrument(OpenAI)
const turns = openAiTurns(new OpenAI({ maxRetries: 0 }), traceTool(getWeather, { name: 'get_weather' }))
await context.with(setSession(context.active(), { sessionId: process.env.THREAD_ID }), () =>
  converse({
    askWeather: traceAgent(turns.askWeather, { name: 'ask weather' }),
    sayHello: traceAgent(turns.sayHello, { name: 'say hello' }),
    fail: traceAgent(turns.fail, { name: 'fail' }),
  }),
)
await provider.shutdown()
