import type { ReplyUsage } from './choose-reply'

/** What an endpoint counted for a successful request. */
export type ServedReply = { provider: string; model: string; usage: ReplyUsage; isStream: boolean }
type Served = Omit<ServedReply, 'isStream'>

export type EndpointResponse = {
  status: number
  contentType: string
  text: string
  /** Absent for an error, which costs nothing. */
  served?: ServedReply
}

export function respondWithJson(value: unknown, served: Served): EndpointResponse {
  return { status: 200, contentType: 'application/json', text: JSON.stringify(value), served: { ...served, isStream: false } }
}

export function respondWithError(status: number, value: unknown): EndpointResponse {
  return { status, contentType: 'application/json', text: JSON.stringify(value) }
}

/** Server-sent events; an event with a `name` begins with that line, as Anthropic's and OpenAI's responses do. */
export function respondWithEvents(
  events: readonly { name?: string; data: unknown }[],
  served: Served,
  end = '',
): EndpointResponse {
  const lines = events.map(({ name, data }) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
  return { status: 200, contentType: 'text/event-stream', text: lines.join('') + end, served: { ...served, isStream: true } }
}
