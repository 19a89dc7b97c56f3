import { MessageChannel } from 'node:worker_threads'
import { array, constant, constantFrom, dictionary, jsonValue, nat, oneof, record, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../testing/test-property'
import { HttpError } from './http/http-error'
import { findBuffers, fromErrorMessage, type WorkerReply, type WorkerRequest } from './http/prepare/messages'
import type { AnyPreparation } from './http/prepare/preparation'
import { servePreparations } from './http/prepare/serve-preparations'
import { preparations } from './preparations'

const user = { username: 'kim', projects: ['acme/support'] }
const context = { user, path: { entity: 'acme', project: 'support' }, contentType: 'multipart/form-data; boundary=b' }
const contexts = { ...context, createdMs: 0, paths: [['attr', 'a']], isJson: true, headerProject: undefined }
const createTools = () => {
  let count = 0
  return { newId: () => `id-${(count += 1)}` }
}

type Outcome = { parts: unknown[] } | { error: unknown }

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof HttpError)) throw error
  return { error: [error.kind, error.problems, error.headers] }
}

function runInPlace({ prepare }: AnyPreparation, body: string): Outcome {
  try {
    // Each preparation reads its own part of this context.
    const steps = prepare(new TextEncoder().encode(body), contexts as never, createTools())
    const parts: unknown[] = []
    for (;;) {
      const { done, value } = steps.next()
      parts.push(value)
      if (done) return { parts }
    }
  } catch (error) {
    return toOutcome(error)
  }
}

/** The same over a message channel: everything is cloned or moved, as between threads. */
async function runOverChannel({ name }: AnyPreparation, body: string): Promise<Outcome> {
  const { port1, port2 } = new MessageChannel()
  servePreparations(port2, preparations, createTools())
  const request = async (message: WorkerRequest) => {
    const reply = new Promise<WorkerReply>((resolve) => port1.once('message', resolve))
    port1.postMessage(message, findBuffers(message))
    return await reply
  }
  try {
    const parts: unknown[] = []
    const bytes = new TextEncoder().encode(body)
    for (const part of [bytes.slice(0, 100), bytes.slice(100)]) port1.postMessage({ type: 'body', id: 1, part })
    let reply = await request({ type: 'start', id: 1, name, context: contexts })
    for (;;) {
      if (reply.type === 'error') return toOutcome(fromErrorMessage(reply.error))
      parts.push(reply.value)
      if (reply.done) return { parts }
      reply = await request({ type: 'next', id: 1 })
    }
  } finally {
    port1.close()
  }
}

/** Bytes as text, because the two sides differ in their classes (Buffer, Uint8Array). */
function readable(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()
  if (Array.isArray(value)) return value.map(readable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readable(each)]))
}

test('a worker thread finds each preparation by its name', () => {
  const names = preparations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

const json = jsonValue({ maxDepth: 3 })
const start = record(
  {
    project_id: constantFrom('acme/support', 'acme/other'),
    id: constantFrom('00f067aa0ba902b7', 'wrong'),
    trace_id: constant('4bf92f3577b34da6a3ce929d0e0e4736'),
    op_name: string(),
    started_at: constantFrom('2026-01-31T09:30:00Z', 5),
    ended_at: constant('2026-01-31T09:30:00Z'),
    attributes: json,
    inputs: json,
    summary: json,
    output: json,
  },
  { requiredKeys: ['project_id'] },
)
const batch = array(
  oneof(
    record({ mode: constant('start'), req: record({ start }) }),
    record({ mode: constant('end'), req: record({ end: start }) }),
    start,
    json,
  ),
)
const feedback = record({
  project_id: constantFrom('acme/support', 'acme/other'),
  weave_ref: string(),
  feedback_type: constant('note'),
  payload: dictionary(string(), json),
})
const rows = array(dictionary(string(), json))
const span = record({
  traceId: constantFrom('4bf92f3577b34da6a3ce929d0e0e4736', 'wrong'),
  spanId: constant('00f067aa0ba902b7'),
  name: string(),
  startTimeUnixNano: constantFrom('1767225600000000000', 'wrong'),
})
const attributes = [{ key: 'spool.project', value: { stringValue: 'acme/support' } }]
const body = oneof(
  record({ start, end: start }),
  record({ batch: oneof(batch, array(feedback)) }),
  feedback,
  record({ obj: record({ project_id: constant('acme/support'), object_id: string({ minLength: 1 }), val: json }) }),
  record({ table: record({ project_id: constant('acme/support'), rows }) }),
  rows.map((list) => ({
    project_id: 'acme/support',
    base_digest: 'x',
    updates: list.map((row) => ({ append: { row } })),
    row_digests: list.map((_, index) => `row ${index}`),
  })),
  array(span).map((spans) => ({ resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] })),
)
const form =
  '--b\r\nContent-Disposition: form-data; name="project_id"\r\n\r\nacme/support\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
const text = oneof(
  body.map((value) => JSON.stringify(value)),
  tuple(body, nat(200)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
  string().map((content) => `${form}${content}\r\n--b--\r\n`),
)

testProperty('every body gives the same in place and in a thread, also an error', text, { runs: 60 }, async (sent) => {
  for (const preparation of preparations) {
    expect(readable(await runOverChannel(preparation, sent))).toEqual(readable(runInPlace(preparation, sent)))
  }
})
