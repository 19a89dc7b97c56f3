import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { drain, listen } from '../../../src/service/listen'
import { createMessage } from './anthropic-messages'
import type { EndpointResponse, ServedReply } from './endpoint'
import { generateContent } from './gemini-generate'
import { completeChat } from './openai-chat'
import { embed } from './openai-embeddings'
import { createResponse } from './openai-responses'

/**
 * Plays the endpoints of OpenAI, Anthropic and Gemini on 127.0.0.1. Each client has its own base: `<url>/<client>/openai/v1`,
 * `<url>/<client>/anthropic`, `<url>/<client>/gemini`. `servedTo` tells what a client was given, which is what Spool must know.
 */
export async function openModelEndpoints() {
  const served = new Map<string, ServedReply[]>()
  let replyCount = 0
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const [, client = '', ...path] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/')
    replyCount += 1
    const answer = callEndpoint(path.join('/'), await json(request), replyCount)
    if (answer.served) served.set(client, [...(served.get(client) ?? []), answer.served])
    response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.text)
  }
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(`The model endpoint ${request.url ?? ''} failed:`, error)
      response.writeHead(500).end()
    })
  })
  // Node's five seconds end while a slow client prepares its next request on the same connection.
  server.keepAliveTimeout = 60_000
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    servedTo: (client: string): readonly ServedReply[] => served.get(client) ?? [],
    close: () => drain(server, 1000),
  }
}

/** `replyNumber` makes the id of each reply its own, as it is at the providers. */
function callEndpoint(path: string, body: unknown, replyNumber: number): EndpointResponse {
  const [, model = '', method = ''] = /^gemini\/v1(?:beta)?\/models\/([^:]+):(\w+)$/.exec(path) ?? []
  if (model !== '') return generateContent(body, model, method === 'streamGenerateContent', replyNumber)
  switch (path) {
    case 'openai/v1/chat/completions':
      return completeChat(body, replyNumber)
    case 'openai/v1/responses':
      return createResponse(body, replyNumber)
    case 'openai/v1/embeddings':
      return embed(body)
    case 'anthropic/v1/messages':
      return createMessage(body, replyNumber)
    default:
      return {
        status: 404,
        contentType: 'application/json',
        text: JSON.stringify({ error: { message: `No endpoint ${path}.` } }),
      }
  }
}
