import type { Connection } from '../client/connection'

/** Where the snippets send to: the address without a slash at its end. */
export type Destination = { baseUrl: string; projectId: string }

/** A client elsewhere needs the whole address, also where the dashboard itself gets by without one. */
export function destinationOf({ baseUrl, projectId }: Connection, pageOrigin: string): Destination {
  return { baseUrl: (baseUrl || pageOrigin).replace(/\/+$/, ''), projectId }
}
