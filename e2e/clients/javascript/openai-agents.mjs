// OpenAI's Agents SDK, whose traces OpenInference turns into spans. It calls OpenAI's responses.
import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents'
import { setSession } from '@arizeai/openinference-core'
import * as agents from '@openai/agents'
import { context } from '@opentelemetry/api'
import * as z from 'zod'
import { converse, getWeather } from './conversation.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const sdk = startOpenTelemetry()
new OpenAIAgentsInstrumentation().manuallyInstrument(agents)

const weatherTool = agents.tool({
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: getWeather,
})
const agent = new agents.Agent({ name: 'weather agent', model: 'gpt-5-mini', tools: [weatherTool] })
const runner = new agents.Runner({ groupId: process.env.THREAD_ID })
await context.with(setSession(context.active(), { sessionId: process.env.THREAD_ID }), () =>
  converse({
    askWeather: (question) => runner.run(agent, question),
    sayHello: async (question) => {
      const stream = await runner.run(agent, question, { stream: true })
      await stream.completed
    },
    fail: (question) => runner.run(agent, question),
  }),
)
await agents.getGlobalTraceProvider().forceFlush()
await sdk.shutdown()
