// LangChain with OpenInference's instrumentation; the session is set in the context.
import { setSession } from '@arizeai/openinference-core'
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import * as callbackManager from '@langchain/core/callbacks/manager'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { RunnableLambda } from '@langchain/core/runnables'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { context } from '@opentelemetry/api'
import * as z from 'zod'
import { converse, getWeather } from './conversation.mjs'
import { startOpenTelemetry } from './start-opentelemetry.mjs'

const instrumentation = new LangChainInstrumentation()
const sdk = startOpenTelemetry({ instrumentations: [instrumentation] })
instrumentation.manuallyInstrument(callbackManager)

const model = new ChatOpenAI({ model: 'gpt-5-mini', maxRetries: 0, configuration: { baseURL: process.env.OPENAI_BASE_URL } })
const weatherTool = tool(async (input) => getWeather(input), { name: 'get_weather', schema: z.object({ city: z.string() }) })

const askWeather = RunnableLambda.from(async (question, config) => {
  const messages = [new HumanMessage(question)]
  const withTools = model.bindTools([weatherTool])
  const first = await withTools.invoke(messages, config)
  const [call] = first.tool_calls
  const result = await weatherTool.invoke(call.args, config)
  messages.push(first, new ToolMessage({ content: result, tool_call_id: call.id }))
  const second = await withTools.invoke(messages, config)
  return second.content
}).withConfig({ runName: 'ask weather' })

await context.with(setSession(context.active(), { sessionId: process.env.THREAD_ID }), () =>
  converse({
    askWeather: (question) => askWeather.invoke(question),
    sayHello: async (question) => {
      let text = ''
      for await (const chunk of await model.stream(question)) text += chunk.text
      return text
    },
    fail: (question) => model.invoke(question),
  }),
)
await sdk.shutdown()
