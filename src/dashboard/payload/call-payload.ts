import type { JsonColumn } from '../../contract/call-fields'
import type { PayloadParts } from '../../contract/calls'
import { receiveCall } from '../../contract/received-call'
import type { Connection } from '../client/connection'
import { endpointQuery } from '../client/endpoint-query'
import { fetchJson } from '../client/fetch-json'

/** So much of each column comes when a call is opened, and with each "show more". */
export const pieceLength = 262_144
/** A whole value is read in larger pieces, which are still parsed within a frame or two. */
const largePieceLength = 1_048_576
/** A longer text is not read as JSON: to parse it and to look for messages in it would block the page. */
export const maxParsedLength = 4_194_304

const payloadFields = ['inputs', 'output', 'attributes', 'summary'] as const satisfies readonly JsonColumn[]
export type PayloadField = (typeof payloadFields)[number]

/** What is known of the JSON text of a column. Lengths count code points, as on the wire. */
export type Payload = { text: string; to: number; length: number }

/** Query options for a call with the first piece of each of its columns. */
export function callQuery(id: string, connection: Connection) {
  const input = { project_id: connection.projectId, id, include_costs: true, fields: [...payloadFields], range: [0, pieceLength] }
  return endpointQuery(receiveCall, input, connection)
}

/** The payload of a reply; null where the call has no such value. Services without ranges send the value itself. */
export function toPayload(field: PayloadField, parts: PayloadParts | undefined, value: unknown): Payload | null {
  // Services without inputs or attributes of a call say that they are {}.
  if (parts) return parts[field]?.text === '{}' ? null : (parts[field] ?? null)
  if (value === null || value === undefined) return null
  const text = JSON.stringify(value)
  if (text === '{}') return null
  return { text, to: text.length, length: text.length }
}

export function isWhole({ to, length }: Payload): boolean {
  return to >= length
}

type Source = { id: string; field: PayloadField; connection: Connection; signal: AbortSignal }

/** Reads what follows in pieces, until `until` characters are there. Throws where the value has changed meanwhile. */
export async function* readOn(
  payload: Payload,
  until: number,
  { id, field, connection, signal }: Source,
): AsyncGenerator<Payload> {
  let last = payload
  const end = Math.min(until, payload.length)
  while (last.to < end) {
    const range = [last.to, Math.min(end, last.to + largePieceLength)]
    const input = { project_id: connection.projectId, id, fields: [field], range }
    const part = (await fetchJson(receiveCall, input, { connection, signal })).parts?.[field]
    if (!part || part.length !== payload.length || part.to <= last.to)
      throw new Error('This value has changed. Open the call again.')
    last = part
    yield part
  }
}

/** Undefined for a text that is no JSON, cut off or too long. */
export function parsePayload(payload: Payload): { value: unknown } | undefined {
  if (!isWhole(payload) || payload.length > maxParsedLength) return undefined
  try {
    const value: unknown = JSON.parse(payload.text)
    return { value }
  } catch {
    return undefined
  }
}
