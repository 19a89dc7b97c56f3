import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reviewer } from '../../testing/test-app'
import { openTestImport, type TestImport } from './testing/test-import'

let spool: TestImport
beforeAll(async () => {
  spool = await openTestImport()
})
afterEach(() => spool.intercept(undefined))
afterAll(() => spool.close())

function createSpan(n: number, change: object = {}) {
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

/** An export request as the Collector's file exporter writes it. */
function createRequest(spans: readonly object[], project?: string) {
  const attributes = project === undefined ? [] : [{ key: 'spool.project', value: { stringValue: project } }]
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] }
}

const toJson = (value: object) => JSON.stringify(value)

test('spans of several lines are sent in one request, into the projects that they name', async () => {
  const lines = Array.from({ length: 40 }, (_, n) =>
    toJson(createRequest([createSpan(2 * n + 1), createSpan(2 * n + 2)], 'acme/traced')),
  )
  const before = spool.requests.length
  const { code, stdout, stderr } = await spool.run([spool.writeFile(`${lines.join('\n')}\n{"resourceSpans":[]}\n`)])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(': 80 spans stored in ')
  expect(spool.requests.slice(before)).toEqual(['/otel/v1/traces'])
  const calls = await spool.calls('acme/traced')
  expect(calls).toHaveLength(80)
  expect(calls[0]).toMatchObject({ thread_id: 'conversation-1', op_name: 'chat', is_finished: 1 })
})

test('the project of the command line replaces the project that spans name', async () => {
  const { code } = await spool.run([
    spool.writeFile(toJson(createRequest([createSpan(1)], 'acme/named'))),
    '--project',
    'acme/chosen',
  ])
  expect(code).toBe(0)
  expect(await spool.calls('acme/chosen')).toHaveLength(1)
  expect(await spool.calls('acme/named')).toEqual([])
})

test.each([
  ['one document over many lines', JSON.stringify(createRequest([createSpan(1), createSpan(2)]), null, 2)],
  ['one document with a byte order mark', `\ufeff${JSON.stringify(createRequest([createSpan(1), createSpan(2)]), null, 2)}`],
  [
    'the spelling of the protobuf definition',
    toJson(createRequest([createSpan(1), createSpan(2)]))
      .replace('resourceSpans', 'resource_spans')
      .replace('scopeSpans', 'scope_spans'),
  ],
  ['a request with a field of a later version', toJson({ ...createRequest([createSpan(1), createSpan(2)]), later: 1 })],
  [
    'a request with white space between its tokens',
    ` { "resourceSpans" : ${toJson(createRequest([createSpan(1), createSpan(2)])).slice(17, -1)} } `,
  ],
])('spans are read from %s', async (name, content) => {
  const project = `acme/${name}`
  const { code, stdout, stderr } = await spool.run([spool.writeFile(content), '--project', project])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(': 2 spans stored in ')
  expect(await spool.calls(project)).toHaveLength(2)
})

test('spans that the service refuses are printed by line, and all others are stored', async () => {
  const lines = Array.from({ length: 20 }, (_, n) => createRequest([createSpan(100 + n)], 'acme/refusing'))
  const bad = [
    createRequest([createSpan(1), createSpan(2, { spanId: 'xyz' })], 'acme/refusing'),
    createRequest([createSpan(3)]),
    { resourceSpans: [{ scopeSpans: 7 }] },
  ]
  lines.splice(5, 0, ...bad.map((each) => each as ReturnType<typeof createRequest>)) // The last one is not a request, on purpose.
  const { code, stdout, stderr } = await spool.run([
    spool.writeFile(`${lines.map(toJson).join('\n')}\nnonsense\n{"resourceSpan":[]}`),
  ])
  expect(code).toBe(2)
  expect(stdout).toContain(': 21 spans stored in ')
  expect(stdout).toContain('5 lines refused')
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/:6: 1 of 2 spans .*span_id/),
    expect.stringMatching(/:7: .*project/),
    expect.stringMatching(/:8: resourceSpans\.0\.scopeSpans: .*must be a list/i),
    expect.stringMatching(/:24: The line is not valid JSON\./),
    expect.stringMatching(/:25: The line has no list 'resourceSpans'\./),
  ])
  expect(await spool.calls('acme/refusing')).toHaveLength(21)
})

test('the summary names --project where no span names a project', async () => {
  const { code, stdout } = await spool.run([spool.writeFile(`${toJson(createRequest([createSpan(1)]))}\n`)])
  expect(code).toBe(2)
  expect(stdout).toContain('Spans that name no project need --project <entity>/<project>.')
})

test('lines of metrics and logs, which a Collector may write to the same file, are skipped and counted', async () => {
  const content = `{"resourceMetrics":[]}\n${toJson(createRequest([createSpan(1)]))}\n{"resourceLogs":[]}\n`
  const { code, stdout } = await spool.run([spool.writeFile(content), '--project', 'acme/mixed'])
  expect(code).toBe(0)
  expect(stdout).toContain('Skipped: lines of logs or metrics (2).')
  expect(await spool.calls('acme/mixed')).toHaveLength(1)
})

test('large integers that are written as numbers keep every digit', async () => {
  let body = ''
  spool.intercept((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => response.end('{}'))
    return true
  })
  const line = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":1769851800000000001}]}]}]}'
  expect((await spool.run([spool.writeFile(`${line}\n${line}\n`)])).code).toBe(0)
  expect(body.match(/1769851800000000001/g)).toHaveLength(2)
})

test('a project that the user has no access to ends the import', async () => {
  const variables = { SPOOL_USERNAME: reviewer.username, SPOOL_PASSWORD: reviewer.password }
  const file = spool.writeFile(toJson(createRequest([createSpan(1)], 'acme/forbidden')))
  for (const parameters of [[file], [file, '--project', 'acme/forbidden']]) {
    const { code, stderr } = await spool.run(parameters, variables)
    expect(code).toBe(1)
    expect(stderr).toContain('has no access to th')
  }
  expect(await spool.calls('acme/forbidden')).toEqual([])
})

test('a project that a header cannot contain is refused before anything is sent', async () => {
  const { code, stderr } = await spool.run([spool.writeFile(toJson(createRequest([createSpan(1)]))), '--project', 'acme/ünd'])
  expect(code).toBe(1)
  expect(stderr).toContain('--project must be ASCII for traces')
})

test('a wrong part of a document is refused, and its other spans are stored', async () => {
  const wrong = [{ scopeSpans: 7 }, { scopeSpans: [7] }, { scopeSpans: [{ spans: 7 }] }]
  const request = { resourceSpans: [...createRequest([createSpan(1)]).resourceSpans, ...wrong] }
  const file = spool.writeFile(JSON.stringify(request, null, 2))
  const { code, stdout, stderr } = await spool.run([file, '--project', 'acme/wrong-parts'])
  expect(code).toBe(2)
  expect(stdout).toContain(': 1 span stored in ')
  expect(stderr.trim().split('\n')).toEqual(wrong.map(() => expect.stringMatching(/:1: resourceSpans\.0\.scopeSpans/)))
  expect(await spool.calls('acme/wrong-parts')).toHaveLength(1)
})

test('a document that is larger than a request is sent in parts, with every digit', async () => {
  const spans = Array.from({ length: 1200 }, (_, n) => createSpan(n + 1))
  const pretty = JSON.stringify(createRequest(spans), null, 2).replaceAll('"1769851800000000001"', '1769851800000000001')
  const bodies: string[] = []
  spool.intercept((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.end('{}')
    })
    return true
  })
  const { stdout } = await spool.run([spool.writeFile(pretty.padEnd(40 * 1024 * 1024))])
  expect(stdout).toContain(': 1,200 spans stored in ')
  expect(bodies.join('').match(/"1769851800000000001"/g)).toHaveLength(1200)
})
