import { readFileSync } from 'node:fs'
import type { CallRow } from '../../call-row'
import { spansSignal } from '../export-request'
import { readRequest } from '../read-request'
import { spanToCallRow } from '../span-to-call-row'

/** The calls of an export request that a real client sent: `npm run test:clients -- --record` writes them, trimmed by hand. */
export function readFixture(client: string): CallRow[] {
  const body = readFileSync(new URL(`../conventions/fixtures/${client}.json`, import.meta.url))
  const { items } = readRequest(body, true, spansSignal)
  return [...items()].map((span) => spanToCallRow(span.decode(), {}, span.scope, 'acme/support'))
}
