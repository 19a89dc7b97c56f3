import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reviewer } from '../../testing/test-app'
import { type ImportTestPlace, openImportPlace } from './testing/import-place'

let place: ImportTestPlace
beforeAll(async () => {
  place = await openImportPlace()
})
afterEach(() => place.meddle(undefined))
afterAll(() => place.close())

let files = 0
function write(content: string): string {
  const name = `traces-${(files += 1)}.jsonl`
  writeFileSync(join(place.folder, name), content)
  return name
}

function span(n: number, change: object = {}) {
  return {
    traceId: n.toString(16).padStart(32, '0'),
    spanId: n.toString(16).padStart(16, '0'),
    name: 'chat',
    kind: 1,
    startTimeUnixNano: '1769851800000000001',
    endTimeUnixNano: '1769851801000000001',
    attributes: [{ key: 'gen_ai.conversation.id', value: { stringValue: `conversation-${n % 3}` } }],
    status: {},
    ...change,
  }
}

/** An export request as the collector's file exporter writes it. */
function request(spans: readonly object[], project?: string) {
  const attributes = project === undefined ? [] : [{ key: 'spool.project', value: { stringValue: project } }]
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] }
}

const text = (value: object) => JSON.stringify(value)

test('export requests go in several at a time, into the projects that they name', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => text(request([span(2 * n + 1), span(2 * n + 2)], 'acme/traced')))
  const before = place.requests.length
  const { code, stdout, stderr } = await place.run([write(`${lines.join('\n')}\n{"resourceSpans":[]}\n`)])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(': 80 spans stored in ')
  expect(place.requests.slice(before)).toEqual(['/otel/v1/traces'])
  const calls = await place.calls('acme/traced')
  expect(calls).toHaveLength(80)
  expect(calls[0]).toMatchObject({ thread_id: 'conversation-1', op_name: 'chat', is_finished: 1 })
})

test('a project on the command line rules over what spans name', async () => {
  const { code } = await place.run([write(text(request([span(1)], 'acme/named'))), '--project', 'acme/ruling'])
  expect(code).toBe(0)
  expect(await place.calls('acme/ruling')).toHaveLength(1)
  expect(await place.calls('acme/named')).toEqual([])
})

test.each([
  ['one document over many lines', JSON.stringify(request([span(1), span(2)]), null, 2)],
  ['one document behind a byte order mark', `\ufeff${JSON.stringify(request([span(1), span(2)]), null, 2)}`],
  [
    'the names of the protobuf definition',
    text(request([span(1), span(2)]))
      .replace('resourceSpans', 'resource_spans')
      .replace('scopeSpans', 'scope_spans'),
  ],
  ['a field of a later version beside', text({ ...request([span(1), span(2)]), later: 1 })],
  ['white space between', ` { "resourceSpans" : ${text(request([span(1), span(2)])).slice(17, -1)} } `],
])('spans are read from %s', async (name, content) => {
  const project = `acme/${name}`
  const { code, stdout, stderr } = await place.run([write(content), '--project', project])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(': 2 spans stored in ')
  expect(await place.calls(project)).toHaveLength(2)
})

test('spans that the service refuses are told by line, and all others are stored', async () => {
  const lines = Array.from({ length: 20 }, (_, n) => request([span(100 + n)], 'acme/refusing'))
  const bad = [
    request([span(1), span(2, { spanId: 'xyz' })], 'acme/refusing'),
    request([span(3)]),
    { resourceSpans: [{ scopeSpans: 7 }] },
  ]
  lines.splice(5, 0, ...bad.map((each) => each as ReturnType<typeof request>)) // the last is none, on purpose
  const { code, stdout, stderr } = await place.run([write(`${lines.map(text).join('\n')}\nnonsense\n{"resourceSpan":[]}`)])
  expect(code).toBe(2)
  expect(stdout).toContain(': 21 spans stored in ')
  expect(stdout).toContain('5 lines refused')
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/:6: 1 of 2 spans were not stored\. .*span/i),
    expect.stringMatching(/:7: The span names no project\./),
    expect.stringMatching(/:8: resourceSpans\.0\.scopeSpans: Must be a list\./),
    expect.stringMatching(/:24: The line is not valid JSON\./),
    expect.stringMatching(/:25: The line has no list 'resourceSpans'\./),
  ])
  expect(await place.calls('acme/refusing')).toHaveLength(21)
})

test('where no span names a project, it is said how to name one', async () => {
  const { code, stdout } = await place.run([write(`${text(request([span(1)]))}\n`)])
  expect(code).toBe(2)
  expect(stdout).toContain('go into the one that --project <entity>/<project> names')
})

test('lines of metrics and logs, which a collector may mix in, are left out and counted', async () => {
  const content = `{"resourceMetrics":[]}\n${text(request([span(1)]))}\n{"resourceLogs":[]}\n`
  const { code, stdout } = await place.run([write(content), '--project', 'acme/mixed'])
  expect(code).toBe(0)
  expect(stdout).toContain('left out: lines of logs or metrics, which are no traces (2)')
  expect(await place.calls('acme/mixed')).toHaveLength(1)
})

test('nanoseconds beyond what a double can hold arrive digit by digit', async () => {
  let body = ''
  place.meddle((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => response.end('{}'))
    return true
  })
  const line = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":1769851800000000001}]}]}]}'
  expect((await place.run([write(`${line}\n${line}\n`)])).code).toBe(0)
  expect(body.match(/1769851800000000001/g)).toHaveLength(2)
})

test('a project that is not the user’s ends it', async () => {
  const variables = { SPOOL_USERNAME: reviewer.username, SPOOL_PASSWORD: reviewer.password }
  const file = write(text(request([span(1)], 'acme/forbidden')))
  for (const parameters of [[file], [file, '--project', 'acme/forbidden']]) {
    const { code, stderr } = await place.run(parameters, { variables })
    expect(code).toBe(1)
    expect(stderr).toContain('has no access to th')
  }
  expect(await place.calls('acme/forbidden')).toEqual([])
})

test('a project that no header can carry is refused before anything is sent', async () => {
  const { code, stderr } = await place.run([write(text(request([span(1)]))), '--project', 'acme/ünd'])
  expect(code).toBe(1)
  expect(stderr).toContain('holds ASCII only')
})
