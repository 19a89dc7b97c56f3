import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { drain, listen } from '../../../listen'

/** A server that responds as OpenAI's chat completions, which a test cannot call. */
export async function openCompletionEndpoint() {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { model, messages } = JSON.parse(await text(request)) as { model: string; messages: { content: string }[] }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(completion(model, `You said: ${messages.at(-1)?.content}`)))
  }
  const server = createServer((request, response) => void respond(request, response))
  const url = await listen(server, '127.0.0.1', 0)
  return { baseURL: `${url}/v1`, close: () => drain(server, 1000) }
}

function completion(model: string, content: string) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: `${model}-2024-08-06`,
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 21,
      completion_tokens: 7,
      total_tokens: 28,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  }
}
