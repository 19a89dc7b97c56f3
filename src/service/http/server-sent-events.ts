/** An event of a stream, or a comment that only keeps the connection open. Without an `id` the last one stays valid. */
export type ServerSentEvent = { event: string; id?: string | undefined } | 'heartbeat'

/** After this time a browser connects again. */
const reconnectMs = 3000

/** The bytes of a `text/event-stream`. Browsers drop events without data. */
export async function* encodeServerSentEvents(events: AsyncIterable<ServerSentEvent>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`retry: ${reconnectMs}\n\n`)
  for await (const each of events) yield encoder.encode(each === 'heartbeat' ? ':\n\n' : toText(each))
}

function toText({ event, id }: Exclude<ServerSentEvent, string>): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: {}\n\n`
}
