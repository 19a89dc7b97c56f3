// The turns of the conversation by Anthropic's messages. `callTool` is `getWeather`, or a traced version of it.
import { getWeather, parameters } from './conversation.mjs'

const model = 'claude-haiku-4-5'
const max_tokens = 500
const tools = [{ name: 'get_weather', input_schema: parameters }]

export function anthropicTurns(anthropic, callTool = getWeather) {
  return {
    askWeather: async (question) => {
      const messages = [{ role: 'user', content: question }]
      const { content } = await anthropic.messages.create({ model, max_tokens, messages, tools })
      const [use] = content
      const result = { type: 'tool_result', tool_use_id: use.id, content: await callTool(use.input) }
      messages.push({ role: 'assistant', content }, { role: 'user', content: [result] })
      const reply = await anthropic.messages.create({ model, max_tokens, messages, tools })
      return reply.content[0].text
    },
    sayHello: async (question) => {
      const messages = [{ role: 'user', content: question }]
      const stream = await anthropic.messages.create({ model, max_tokens, messages, stream: true })
      let text = ''
      for await (const event of stream) text += event.delta?.text ?? ''
      return text
    },
    fail: async (question) => anthropic.messages.create({ model, max_tokens, messages: [{ role: 'user', content: question }] }),
  }
}
