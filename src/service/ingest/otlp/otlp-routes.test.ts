import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Reader } from 'protobufjs/minimal.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sql } from '../../store/sql'
import { administrator, parseJsonLines, openTestApp, reviewer, type TestApp } from '../../testing/test-app'
import { type JsonKeyValue, type OtlpRequest, type OtlpSpan, toProtobuf } from './testing/to-protobuf'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const startNano = 1_790_000_000_123_456_789n

const spanId = (number: number) => number.toString(16).padStart(16, '0')
const text = (key: string, stringValue: string): JsonKeyValue => ({ key, value: { stringValue } })
const whole = (key: string, intValue: number): JsonKeyValue => ({ key, value: { intValue: String(intValue) } })

const buildSpan = (number: number, more: Partial<OtlpSpan> = {}): OtlpSpan => ({
  traceId: 'ab'.repeat(16),
  spanId: spanId(number),
  name: 'chat',
  startTimeUnixNano: String(startNano),
  endTimeUnixNano: String(startNano + 250_000_000n),
  ...more,
})
const buildRequest = (spans: OtlpSpan[], resource?: JsonKeyValue[]): OtlpRequest => ({
  resourceSpans: [{ ...(resource && { resource: { attributes: resource } }), scopeSpans: [{ spans }] }],
})

type Options = {
  path?: string
  projectId?: string | null
  user?: { username: string; password: string }
  headers?: Record<string, string>
}

async function send(
  body: BodyInit,
  mediaType: string,
  { path = '/otel/v1/traces', projectId = 'acme/support', user, headers }: Options = {},
) {
  const init: RequestInit & { duplex?: 'half' } = {
    method: 'POST',
    body,
    headers: { 'content-type': mediaType, ...(projectId === null ? {} : { project_id: projectId }), ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  }
  return await service.send(path, init, user)
}
const sendJson = (request: unknown, options?: Options) => send(JSON.stringify(request), 'application/json', options)
const sendProtobuf = (request: OtlpRequest, options?: Options) => send(toProtobuf(request), 'application/x-protobuf', options)

async function readProblem(response: Response) {
  const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string; type: string }[] }
  return { status: response.status, msg: detail.map(({ msg }) => msg).join('\n'), loc: detail[0]?.loc }
}

async function readPartialSuccess(response: Response) {
  expect(response.status).toBe(200)
  const { partialSuccess } = (await response.json()) as { partialSuccess?: { rejectedSpans: string; errorMessage: string } }
  return partialSuccess
}

const Stored = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: z.string(),
  thread_id: z.string(),
  turn_id: z.string(),
  op_name: z.string(),
  display_name: z.nullable(z.string()),
  exception: z.nullable(z.string()),
  started_at: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
  attributes: z.string(),
  inputs: z.string(),
  output: z.string(),
  summary: z.string(),
})

async function readStoredCalls(projectId: string) {
  return await service.store.query(
    sql`SELECT id, trace_id, parent_id, thread_id, turn_id, op_name, display_name, exception, started_at, ended_at,
       attributes, inputs, output, summary
     FROM calls FINAL WHERE project_id = ${projectId} ORDER BY id`,
    Stored,
  )
}

async function readStoredCall(projectId: string) {
  const [call] = await readStoredCalls(projectId)
  if (!call) throw new Error('no call is stored')
  const parsed = (json: string): unknown => (json === '' ? undefined : JSON.parse(json))
  return {
    ...call,
    attributes: parsed(call.attributes) as { otel_span: Record<string, unknown> } & Record<string, unknown>,
    inputs: parsed(call.inputs),
    output: parsed(call.output),
    summary: parsed(call.summary),
  }
}

async function readThreads(projectId: string) {
  return parseJsonLines(await (await service.post('/threads/stream_query', { project_id: projectId })).text())
}

test('each of the four paths stores a span as a complete call, in protobuf and in JSON', async () => {
  const paths = ['/otel/v1/traces', '/otel/v1/trace', '/v1/traces', '/api/public/otel/v1/traces']
  for (const [index, path] of paths.entries()) {
    const proto = await sendProtobuf(buildRequest([buildSpan(2 * index + 1)]), { path, projectId: 'acme/addresses' })
    expect(proto.status).toBe(200)
    expect(proto.headers.get('content-type')).toBe('application/x-protobuf')
    expect((await proto.arrayBuffer()).byteLength).toBe(0)
    const json = await sendJson(buildRequest([buildSpan(2 * index + 2)]), { path, projectId: 'acme/addresses' })
    expect(json.headers.get('content-type')).toBe('application/json')
    expect(await readPartialSuccess(json)).toBeUndefined()
  }
  const calls = await readStoredCalls('acme/addresses')
  expect(calls.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(spanId))
  expect(calls[0]).toMatchObject({
    trace_id: 'ab'.repeat(16),
    op_name: 'chat',
    started_at: '2026-09-21 14:13:20.123456',
    ended_at: '2026-09-21 14:13:20.373456',
    exception: null,
  })
})

test('an empty request succeeds in both encodings', async () => {
  expect((await send(new Uint8Array(), 'application/x-protobuf')).status).toBe(200)
  expect(await readPartialSuccess(await sendJson({}))).toBeUndefined()
  expect(await readPartialSuccess(await sendJson({ resource_spans: [{ scope_spans: [{ spans: [] }] }] }))).toBeUndefined()
})

test('JSON may have snake_case names, upper-case ids, integers as numbers and enums by name', async () => {
  const span = {
    trace_id: 'AB'.repeat(16),
    span_id: 'ABCDEF0123456789',
    parent_span_id: 'FFFFFFFFFFFFFFFF',
    name: 'x',
    kind: 'SPAN_KIND_CLIENT',
    start_time_unix_nano: 1_790_000_000_000_000_000,
    end_time_unix_nano: '1790000001000000000',
    status: { code: 'STATUS_CODE_ERROR' },
    attributes: [{ key: 'n', value: { int_value: 7 } }],
    from_the_future: [1],
  }
  expect(
    await readPartialSuccess(
      await sendJson({ resource_spans: [{ scope_spans: [{ spans: [span] }] }] }, { projectId: 'acme/snake' }),
    ),
  ).toBeUndefined()
  expect(await readStoredCall('acme/snake')).toMatchObject({
    id: 'abcdef0123456789',
    parent_id: 'ffffffffffffffff',
    trace_id: 'ab'.repeat(16),
    exception: 'error',
    started_at: '2026-09-21 14:13:20.000000',
    attributes: { otel_span: { kind: 'CLIENT', status: { code: 'ERROR' }, attributes: { n: 7 } } },
  })
})

test('fields of a span without a column are stored where W&B Weave stores them', async () => {
  const request: OtlpRequest = {
    resourceSpans: [
      {
        resource: { attributes: [text('service.name', 'shop')] },
        scopeSpans: [
          {
            scope: { name: 'lib', version: '1' },
            spans: [
              buildSpan(1, {
                kind: 3,
                traceState: 'a=b',
                flags: 257,
                attributes: [
                  text('wandb.display_name', 'Nice'),
                  text('wandb.attributes.team', 'blue'),
                  whole('a.b', 1),
                  text('a', 'leaf'),
                ],
                events: [{ timeUnixNano: String(startNano), name: 'seen', attributes: [whole('n', 2)] }],
                links: [{ traceId: 'cd'.repeat(16), spanId: spanId(9), attributes: [] }],
              }),
            ],
          },
        ],
      },
    ],
  }
  await sendProtobuf(request, { projectId: 'acme/kept' })
  const { attributes: stored, display_name } = await readStoredCall('acme/kept')
  expect(display_name).toBe('Nice')
  expect(stored).toEqual({
    team: 'blue',
    otel_span: {
      kind: 'CLIENT',
      status: { code: 'UNSET' },
      attributes: { a: 'leaf', 'a.b': 1, wandb: { display_name: 'Nice', attributes: { team: 'blue' } } },
      events: [{ name: 'seen', time: '2026-09-21T14:13:20.123456Z', attributes: { n: 2 } }],
      links: [{ trace_id: 'cd'.repeat(16), span_id: spanId(9), attributes: {} }],
      resource: { attributes: { service: { name: 'shop' } } },
      scope: { name: 'lib', version: '1', attributes: {} },
      trace_state: 'a=b',
      flags: 257,
    },
  })
})

test('the exception of a failed span is its status message, else its exception event, else the word error', async () => {
  const raised = {
    timeUnixNano: '1',
    name: 'exception',
    attributes: [text('exception.message', 'raised'), text('exception.type', 'E')],
  }
  await sendProtobuf(
    buildRequest([
      buildSpan(1, { status: { code: 2, message: 'own message' }, events: [raised] }),
      buildSpan(2, { status: { code: 2 }, events: [raised] }),
      buildSpan(3, { status: { code: 2 } }),
      buildSpan(4, { status: { code: 1, message: 'ignored' }, events: [raised] }),
    ]),
    { projectId: 'acme/failed' },
  )
  expect((await readStoredCalls('acme/failed')).map(({ exception }) => exception)).toEqual([
    'own message',
    'raised',
    'error',
    null,
  ])
})

test('bodies may be compressed by gzip, deflate and brotli, and may come in chunks', async () => {
  const bytes = toProtobuf(buildRequest([buildSpan(1)]))
  const options = { projectId: 'acme/encoded' }
  for (const [encoding, body] of [
    ['gzip', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['br', brotliCompressSync(bytes)],
  ] as const) {
    const response = await send(new Uint8Array(body), 'application/x-protobuf', {
      ...options,
      headers: { 'content-encoding': encoding },
    })
    expect({ encoding, status: response.status }).toEqual({ encoding, status: 200 })
  }
  const chunks = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let index = 0; index < bytes.length; index += 1) controller.enqueue(bytes.slice(index, index + 1))
      controller.close()
    },
  })
  expect((await send(chunks, 'application/protobuf', options)).status).toBe(200)
  expect(await readStoredCalls('acme/encoded')).toHaveLength(1)
})

test('invalid spans are reported with their reasons, and their neighbours are stored', async () => {
  const bad: Partial<OtlpSpan>[] = [
    { traceId: '0'.repeat(32) },
    { traceId: 'ab'.repeat(15) },
    { traceId: 'ab'.repeat(17) },
    { spanId: '0'.repeat(16) },
    { spanId: 'ab'.repeat(7) },
    { spanId: 'ab'.repeat(17) },
    { spanId: '' },
    { parentSpanId: 'ab'.repeat(7) },
    { startTimeUnixNano: '10382256000000000000' },
    { endTimeUnixNano: '18446744073709551615' },
  ]
  const spans = [buildSpan(1), ...bad.map((more) => buildSpan(2, more)), buildSpan(3)]
  const partial = await readPartialSuccess(await sendJson(buildRequest(spans), { projectId: 'acme/bad' }))
  expect(partial?.rejectedSpans).toBe('10')
  expect(partial?.errorMessage).toContain('10 of 12 spans were not stored.')
  expect(partial?.errorMessage).toContain(
    "'trace_id' must be 16 bytes (in JSON 32 hex digits), not all zero. (3 spans, the first is resource_spans[0].scope_spans[0].spans[1])",
  )
  expect(partial?.errorMessage).toContain("'parent_span_id' must be 8 bytes")
  expect(partial?.errorMessage).toContain("'start_time_unix_nano' must be nanoseconds since 1970 and before 2299-01-01.")
  expect((await readStoredCalls('acme/bad')).map(({ id }) => id)).toEqual([spanId(1), spanId(3)])

  const response = await sendProtobuf(buildRequest(spans), { projectId: 'acme/bad' })
  expect(response.status).toBe(200)
  const reader = Reader.create(Buffer.from(await response.arrayBuffer()))
  expect([reader.uint32(), reader.uint32() > 0, reader.uint32(), reader.int64().low, reader.uint32(), reader.string()]).toEqual([
    10,
    true,
    8,
    10,
    18,
    partial?.errorMessage,
  ])
})

test('a span with a key or name that is too long is rejected alone', async () => {
  const long = 'x'.repeat(2_000_000)
  const bad: [more: Partial<OtlpSpan>, reason: string][] = [
    [{ name: long }, 'The name of a span is too long: at most 4,096 characters.'],
    [
      { attributes: [text('wandb.thread_id', long)] },
      'The id of a thread, conversation or session is too long: at most 1,024 characters.',
    ],
    [
      { attributes: [text('session.id', long)] },
      'The id of a thread, conversation or session is too long: at most 1,024 characters.',
    ],
    [{ attributes: [text('wandb.display_name', long)] }, "'wandb.display_name' is too long: at most 1,024 characters."],
    [{ attributes: [text('gen_ai.request.model', long)] }, 'The name of a model is too long: at most 512 characters.'],
    [{ attributes: [text('gen_ai.system', long)] }, 'The name of a provider is too long: at most 512 characters.'],
    [{ status: { code: 2, message: long } }, 'The message of an error is too long: at most 1,048,576 characters.'],
  ]
  for (const [index, [more, reason]] of bad.entries()) {
    const request = buildRequest([buildSpan(2 * index + 1), buildSpan(2 * index + 2, more)])
    const partial = await readPartialSuccess(await sendJson(request, { projectId: 'acme/long-keys' }))
    expect(partial).toEqual({
      rejectedSpans: '1',
      errorMessage: `1 of 2 spans were not stored. ${reason} (resource_spans[0].scope_spans[0].spans[1])`,
    })
  }
  const stored = await readStoredCalls('acme/long-keys')
  expect(stored.map(({ id }) => id)).toEqual(bad.map((_, index) => spanId(2 * index + 1)))
})

test('a span of the wrong shape is rejected alone, a frame of the wrong shape fails the request', async () => {
  const wrong = [
    { ...buildSpan(2), traceId: 5 },
    { ...buildSpan(2), traceId: Buffer.from('ab'.repeat(16), 'hex').toString('base64') },
    { ...buildSpan(2), startTimeUnixNano: 'yesterday' },
    { ...buildSpan(2), startTimeUnixNano: '-1' },
    { ...buildSpan(2), kind: 'SPAN_KIND_OTHER' },
    { ...buildSpan(2), attributes: {} },
    { ...buildSpan(2), attributes: [{ key: 'n', value: { intValue: 1.5 } }] },
    { ...buildSpan(2), events: ['no'] },
    'no',
    null,
  ]
  const partial = await readPartialSuccess(
    await sendJson({ resourceSpans: [{ scopeSpans: [{ spans: [buildSpan(1), ...wrong] }] }] }, { projectId: 'acme/shape' }),
  )
  expect(partial?.rejectedSpans).toBe(String(wrong.length))
  expect(await readStoredCalls('acme/shape')).toHaveLength(1)
  for (const [body, loc] of [
    [[], ['body']],
    [{ resourceSpans: {} }, ['body', 'resourceSpans']],
    [{ resourceSpans: [null] }, ['body', 'resourceSpans', '0']],
    [{ resourceSpans: [{ scopeSpans: 'x' }] }, ['body', 'resourceSpans', '0', 'scopeSpans']],
    [{ resourceSpans: [{ resource: { attributes: ['x'] } }] }, ['body', 'resourceSpans', '0', 'resource', 'attributes']],
    [{ resourceSpans: [{ resource: 'x' }] }, ['body', 'resourceSpans', '0', 'resource']],
    [
      { resourceSpans: [{ scopeSpans: [{ scope: { name: 5 } }] }] },
      ['body', 'resourceSpans', '0', 'scopeSpans', '0', 'scope', 'name'],
    ],
  ] as const) {
    expect(await readProblem(await sendJson(body))).toMatchObject({ status: 422, loc })
  }
  expect((await readProblem(await send('{"resourceSpans":[', 'application/json'))).status).toBe(422)
  expect((await readProblem(await send('{}', 'text/plain'))).status).toBe(415)
})

test('a request without any valid span fails with the reasons', async () => {
  const problem = await readProblem(
    await sendProtobuf(buildRequest([buildSpan(1, { spanId: '' }), buildSpan(2, { traceId: '' })])),
  )
  expect(problem).toMatchObject({ status: 422, loc: ['body'] })
  expect(problem.msg).toContain("'span_id' must be 8 bytes")
  expect(problem.msg).toContain("'trace_id' must be 16 bytes")
})

test('the header names the project of all spans, without it each resource names its own', async () => {
  const ofWeave = [text('wandb.entity', 'acme'), text('wandb.project', 'from-weave')]
  const ofSpool = [text('spool.project', 'acme/from-spool')]
  const groups = (first: number) => ({
    resourceSpans: [
      ...buildRequest([buildSpan(first)], ofWeave).resourceSpans,
      ...buildRequest([buildSpan(first + 1)], ofSpool).resourceSpans,
      ...buildRequest([buildSpan(first + 2)], []).resourceSpans,
      ...buildRequest([buildSpan(first + 3)], [text('spool.project', 'no-slash')]).resourceSpans,
    ],
  })
  const partial = await readPartialSuccess(await sendJson(groups(1), { projectId: null }))
  expect(partial?.rejectedSpans).toBe('2')
  expect(partial?.errorMessage).toContain('The span names no project.')
  expect(partial?.errorMessage).toContain('The project that the resource names is not valid.')
  expect((await readStoredCalls('acme/from-weave')).map(({ id }) => id)).toEqual([spanId(1)])
  expect((await readStoredCalls('acme/from-spool')).map(({ id }) => id)).toEqual([spanId(2)])
  expect(await readPartialSuccess(await sendJson(groups(11), { projectId: 'acme/by-header' }))).toBeUndefined()
  expect(await readStoredCalls('acme/by-header')).toHaveLength(4)
  expect(await readStoredCalls('acme/from-weave')).toHaveLength(1)
  expect(await readProblem(await sendJson(buildRequest([buildSpan(1)]), { projectId: null }))).toMatchObject({ status: 422 })
  expect(await readProblem(await sendJson(buildRequest([buildSpan(1)]), { projectId: 'no-slash' }))).toMatchObject({
    status: 422,
    loc: ['header', 'project_id'],
  })
  expect(await readProblem(await sendJson(buildRequest([buildSpan(1)]), { projectId: 'acme%zz' }))).toMatchObject({ status: 422 })
})

test('the header may name the project as the environment variable does, percent-encoded', async () => {
  await sendJson(buildRequest([buildSpan(1)]), { projectId: 'acme%2Fencoded' })
  expect(await readStoredCalls('acme/encoded')).toHaveLength(1)
  // With a slash it is not encoded: the name of a project may hold a percent sign.
  await sendJson(buildRequest([buildSpan(1)]), { projectId: 'acme/50%25' })
  expect(await readStoredCalls('acme/50%25')).toHaveLength(1)
})

test('spans of a project without access are not stored', async () => {
  const foreign = [text('spool.project', 'other/secret')]
  const both = {
    resourceSpans: [
      ...buildRequest([buildSpan(1)], foreign).resourceSpans,
      ...buildRequest([buildSpan(2)], [text('spool.project', 'acme/support')]).resourceSpans,
    ],
  }
  const partial = await readPartialSuccess(await sendJson(both, { projectId: null, user: reviewer }))
  expect(partial?.rejectedSpans).toBe('1')
  expect(
    (await readProblem(await sendProtobuf(buildRequest([buildSpan(1)], foreign), { projectId: null, user: reviewer }))).status,
  ).toBe(403)
  expect(
    (await readProblem(await sendProtobuf(buildRequest([buildSpan(1)]), { projectId: 'other/secret', user: reviewer }))).status,
  ).toBe(403)
  expect(await readStoredCalls('other/secret')).toEqual([])
})

test('Langfuse’s public and secret key are a username, or api, and a password', async () => {
  const sendWith = (username: string) =>
    sendJson(buildRequest([buildSpan(1)]), {
      path: '/api/public/otel/v1/traces',
      projectId: 'acme/langfuse',
      user: { username, password: administrator.password },
    })
  expect((await sendWith('api')).status).toBe(200)
  expect((await sendWith(administrator.username)).status).toBe(200)
  expect((await sendWith('pk-lf-1')).status).toBe(401)
})

test('a password alone authenticates an exporter, as Weave’s header or as Basic with the username api', async () => {
  const body = toProtobuf(buildRequest([buildSpan(1)]))
  const post = (headers: Record<string, string>) =>
    service.app.request('/otel/v1/traces', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-protobuf', project_id: 'acme/keys', ...headers },
    })
  expect((await post({ 'wandb-api-key': 'admin-secret' })).status).toBe(200)
  expect((await post({ authorization: `Basic ${Buffer.from('api:admin-secret').toString('base64')}` })).status).toBe(200)
  expect((await post({ 'wandb-api-key': 'wrong' })).status).toBe(401)
  expect((await post({})).status).toBe(401)
})

test('times from 1970 to 2298 are stored, a span without end is running, an end before the start is a duration of 0', async () => {
  const projectId = 'acme/clocks'
  const turn = (number: number, start: string, end: string | undefined) =>
    buildSpan(number, {
      startTimeUnixNano: start,
      ...(end === undefined ? { endTimeUnixNano: '0' } : { endTimeUnixNano: end }),
      attributes: [text('session.id', `t${number}`)],
    })
  const endOf2298 = '10382255999999999999'
  await sendProtobuf(
    buildRequest([turn(1, '0', '1999'), turn(2, endOf2298, endOf2298), turn(3, '5000000', undefined), turn(4, '9000', '1000')]),
    { projectId },
  )
  expect((await readStoredCalls(projectId)).map(({ started_at, ended_at }) => [started_at, ended_at])).toEqual([
    ['1970-01-01 00:00:00.000000', '1970-01-01 00:00:00.000001'],
    ['2298-12-31 23:59:59.999999', '2298-12-31 23:59:59.999999'],
    ['1970-01-01 00:00:00.005000', null],
    ['1970-01-01 00:00:00.000009', '1970-01-01 00:00:00.000001'],
  ])
  expect(await readThreads(projectId)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ thread_id: 't1', p50_turn_duration_ms: 0.001 }),
      expect.objectContaining({ thread_id: 't3', p50_turn_duration_ms: null }),
      expect.objectContaining({ thread_id: 't4', p50_turn_duration_ms: 0 }),
    ]),
  )
})

test('a body of another encoding than its media type is refused', async () => {
  expect((await readProblem(await send('{"resourceSpans":[]}', 'application/x-protobuf'))).msg).toContain(
    'not an ExportTraceServiceRequest of OTLP in protobuf',
  )
  expect((await readProblem(await send(toProtobuf(buildRequest([buildSpan(1)])), 'application/json'))).status).toBe(422)
  expect(service.errorLog).toEqual([])
})

test('a body that is truncated, too large, or too large when decompressed is refused', async () => {
  const gzip = { headers: { 'content-encoding': 'gzip' } }
  const packed = gzipSync(toProtobuf(buildRequest([buildSpan(1)])))
  expect(await readProblem(await send(new Uint8Array(packed.subarray(0, -9)), 'application/x-protobuf', gzip))).toMatchObject({
    status: 422,
    loc: ['body'],
  })
  expect((await readProblem(await send('no gzip', 'application/x-protobuf', gzip))).status).toBe(422)
  const large = new Uint8Array(33 * 1024 * 1024)
  expect((await readProblem(await send(large, 'application/x-protobuf'))).status).toBe(413)
  const bomb = gzipSync(new Uint8Array(256 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(300_000)
  expect((await readProblem(await send(new Uint8Array(bomb), 'application/x-protobuf', gzip))).status).toBe(413)
})

/** A length-delimited field of protobuf around bytes. */
function wrapped(number: number, inner: Uint8Array): Buffer {
  const length: number[] = []
  for (let rest = inner.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), inner])
}

test('a span with values nested ten thousand levels deep is rejected', async () => {
  let deep: Uint8Array = new Uint8Array()
  for (let level = 0; level < 10_000; level += 1) deep = wrapped(5, wrapped(1, deep))
  const attribute = wrapped(9, Buffer.concat([wrapped(1, Buffer.from('deep')), wrapped(2, deep)]))
  const spans = toProtobuf(buildRequest([buildSpan(1)]))
  const bad = wrapped(1, wrapped(2, wrapped(2, attribute)))
  const response = await send(Buffer.concat([spans, bad]), 'application/x-protobuf', { projectId: 'acme/deep' })
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer()).toString()).toContain('nested 64 levels deep')
  expect(await readStoredCalls('acme/deep')).toHaveLength(1)

  let lists: object = { stringValue: 'x' }
  for (let level = 0; level < 100; level += 1) lists = { arrayValue: { values: [lists] } }
  const json = { ...buildSpan(2), attributes: [{ key: 'deep', value: lists }] }
  const partial = await readPartialSuccess(
    await sendJson({ resourceSpans: [{ scopeSpans: [{ spans: [buildSpan(1), json] }] }] }, { projectId: 'acme/deep' }),
  )
  expect(partial?.errorMessage).toContain('nested 64 levels deep')
})

test('a text of ten thousand nested lists stays text', async () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  await sendProtobuf(buildRequest([buildSpan(1, { attributes: [text('input.value', deep)] })]), { projectId: 'acme/deep-text' })
  expect(await readStoredCall('acme/deep-text')).toMatchObject({ inputs: { 'input.value': deep } })
})

test('a request with too many spans is refused before any is stored', async () => {
  const span = wrapped(2, new Uint8Array())
  const bytes = wrapped(1, wrapped(2, Buffer.concat(Array.from({ length: 100_001 }, () => span))))
  const problem = await readProblem(await send(new Uint8Array(bytes), 'application/x-protobuf', { projectId: 'acme/many' }))
  expect(problem).toMatchObject({ status: 422 })
  expect(problem.msg).toContain('A request may hold 100000 spans.')
})

test('a request with too many empty groups is refused', async () => {
  const groups = Buffer.alloc(2 * 100_001, Buffer.from([0x0a, 0]))
  expect((await readProblem(await send(new Uint8Array(groups), 'application/x-protobuf'))).msg).toContain('may hold 100000 spans')
})

test('a span with too many control characters is rejected', async () => {
  const attribute = Buffer.concat([wrapped(1, Buffer.from('a')), wrapped(2, wrapped(1, Buffer.alloc(1024 * 1024 + 1, 1)))])
  const bytes = wrapped(1, wrapped(2, wrapped(2, wrapped(9, attribute))))
  expect((await readProblem(await send(new Uint8Array(bytes), 'application/x-protobuf'))).msg).toContain('control characters')
})

test('a span with too many empty events is rejected', async () => {
  const events = Buffer.concat(Array.from({ length: 100_001 }, () => wrapped(11, new Uint8Array())))
  const bytes = wrapped(1, wrapped(2, wrapped(2, events)))
  expect((await readProblem(await send(new Uint8Array(bytes), 'application/x-protobuf'))).msg).toContain('A span may hold 100000')
})

test('attribute names such as __proto__ are stored like any other', async () => {
  const projectId = 'acme/names'
  const names = ['__proto__', 'constructor', '__proto__.polluted', 'toString.x']
  await sendProtobuf(
    buildRequest([
      buildSpan(1, {
        attributes: [
          ...names.map((key) => text(key, 'v')),
          text('gen_ai.response.model', '__proto__'),
          whole('gen_ai.usage.input_tokens', 3),
          text('wandb.attributes.__proto__', 'own'),
        ],
      }),
    ]),
    { projectId },
  )
  const [call] = await readStoredCalls(projectId)
  expect(call?.summary).toBe('{"usage":{"__proto__":{"requests":1,"input_tokens":3,"total_tokens":3}}}')
  expect(call?.attributes).toContain('"__proto__":"v"')
  expect(call?.attributes).toContain('"__proto__":"own"')
  expect(call?.attributes).toContain('"__proto__.polluted":"v"')
  expect({}).not.toHaveProperty('polluted')
})

test('bytes that are not UTF-8 are stored as replacement characters', async () => {
  const bytes = toProtobuf(buildRequest([buildSpan(1, { name: 'xÿy', attributes: [text('session.id', 'aÿ')] })]))
  // 'ÿ' is C3 BF; without its first byte no character.
  const broken = bytes.map((byte) => (byte === 0xc3 ? 0xff : byte))
  expect((await send(broken, 'application/x-protobuf', { projectId: 'acme/utf8' })).status).toBe(200)
  expect(await readStoredCall('acme/utf8')).toMatchObject({ op_name: 'x\ufffd\ufffdy', thread_id: 'a\ufffd\ufffd' })
  expect(await readThreads('acme/utf8')).toMatchObject([{ thread_id: 'a\ufffd\ufffd', turn_count: 1 }])
})

test('sending a request again changes nothing', async () => {
  const projectId = 'acme/again'
  const request = buildRequest([
    buildSpan(1, { attributes: [text('session.id', 't')] }),
    buildSpan(2, { parentSpanId: spanId(1), attributes: [text('session.id', 't')] }),
  ])
  await sendProtobuf(request, { projectId })
  const threads = await readThreads(projectId)
  expect(threads).toMatchObject([{ turn_count: 1, first_turn_id: spanId(1) }])
  await sendProtobuf(request, { projectId })
  await sendJson(request, { projectId })
  expect(await readThreads(projectId)).toEqual(threads)
  expect(await readStoredCalls(projectId)).toHaveLength(2)
})

test('an exporter gets 429 with a Retry-After when too many calls are pending', async () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    sendProtobuf(buildRequest(Array.from({ length: 1000 }, (__, each) => buildSpan(index * 1000 + each + 1))), {
      projectId: 'acme/load',
    }),
  )
  const responses = await Promise.all(many)
  const busy = responses.find(({ status }) => status === 429)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(busy?.headers.get('retry-after')).toBe('1')
})
