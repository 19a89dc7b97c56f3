// The turns of the conversation by OpenAI's chat completions. `callTool` is `getWeather`, or a traced version of it.
import { getWeather, parameters } from './conversation.mjs'

const model = 'gpt-5-mini'
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]

export function openAiTurns(openai, callTool = getWeather) {
  return {
    askWeather: async (question) => {
      const messages = [{ role: 'user', content: question }]
      const { choices } = await openai.chat.completions.create({ model, messages, tools })
      const [call] = choices[0].message.tool_calls
      const content = await callTool(JSON.parse(call.function.arguments))
      messages.push(choices[0].message, { role: 'tool', tool_call_id: call.id, content })
      const reply = await openai.chat.completions.create({ model, messages, tools })
      return reply.choices[0].message.content
    },
    sayHello: async (question) => {
      const messages = [{ role: 'user', content: question }]
      const stream = await openai.chat.completions.create({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      })
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      return text
    },
    fail: async (question) => openai.chat.completions.create({ model, messages: [{ role: 'user', content: question }] }),
  }
}
