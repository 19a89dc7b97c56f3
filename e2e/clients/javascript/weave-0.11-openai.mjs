// Weave 0.11, wrapped around OpenAI's client.
import OpenAI from 'openai'
import * as weave from 'weave-0.11'

const client = await weave.init(process.env.SPOOL_PROJECT)
const openai = weave.wrapOpenAI(new OpenAI({ maxRetries: 0 }))

const getWeather = weave.op(async function get_weather({ city }) {
  return `21 degrees in ${city}`
})
const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const answer = weave.op(async function answer(question) {
  const messages = [{ role: 'user', content: question }]
  const first = await openai.chat.completions.create({ model: 'gpt-5-mini', messages, tools })
  const [call] = first.choices[0].message.tool_calls
  const result = await getWeather(JSON.parse(call.function.arguments))
  messages.push(first.choices[0].message, { role: 'tool', tool_call_id: call.id, content: result })
  const second = await openai.chat.completions.create({ model: 'gpt-5-mini', messages, tools })
  return second.choices[0].message.content
})
const greet = weave.op(async function greet(message) {
  const stream = await openai.chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: message }],
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  return text
})
const fail = weave.op(async function fail(message) {
  return openai.chat.completions.create({ model: 'gpt-5-mini', messages: [{ role: 'user', content: message }] })
})

await answer('What is the weather in Paris?')
await greet('Say hello')
await fail('Please fail').catch(() => undefined)
await client.waitForBatchProcessing()
