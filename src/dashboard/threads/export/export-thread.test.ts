import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { TreeCall } from '../../../contract/call-tree'
import { connection, jsonLines, stubService } from '../../../testing/render'
import { treeCall } from '../calls/testing/tree-call'
import type { ThreadTurn } from '../turns/thread-turn'
import { exportThread, type ThreadFormat } from './export-thread'

afterEach(() => vi.unstubAllGlobals())

const turn = (id: string): ThreadTurn => ({
  id,
  traceId: 'trace',
  name: 'answer',
  firstWords: 'Where is my order?',
  startedAt: '2026-01-01T00:00:00Z',
  startMs: 0,
  endMs: 1000,
  durationMs: 1000,
  status: 'success',
  failure: null,
  models: ['m'],
  tokens: { prompt: 10, completion: 1 },
  costs: [],
  unpricedCallCount: 0,
  callCount: 1,
})

const part = (text: string, from = 0, to = text.length) => ({ text: text.slice(from, to), from, to, length: text.length })

type Values = { inputs?: string; output?: string; attributes?: string; exception?: string }

/** Serves trees by the id of their turn, and the values of calls in the ranges that are asked for. */
function serve(trees: Readonly<Record<string, readonly TreeCall[]>>, values: Readonly<Record<string, Values>>) {
  return stubService({
    '/calls/tree': ({ call_id: id }) => jsonLines(trees[String(id)] ?? []),
    '/call/read': ({ id, fields, range }) => {
      const own = values[String(id)]
      if (!own) return Response.json({ detail: 'damaged' }, { status: 500 })
      const [from, to] = range as [number, number] // what the dashboard sends
      const parts = (fields as (keyof Values)[]).map((field) => {
        const text = own[field]
        return [field, text === undefined ? null : part(text, from, Math.min(to, text.length))]
      })
      return Response.json({ call: { id, trace_id: 'trace', exception: own.exception }, parts: Object.fromEntries(parts) })
    },
  })
}

async function run(format: ThreadFormat, turns: readonly ThreadTurn[], signal = new AbortController().signal) {
  const { blobs = [], ...rest } = await exportThread({
    format,
    threadId: 'ticket <1>',
    turns,
    connection,
    queryClient: new QueryClient(),
    signal,
    exportedAt: '2026-01-02T00:00:00Z',
    onProgress: () => undefined,
  })
  return { ...rest, text: await new Blob(blobs).text() }
}

test('JSON has every turn with its calls, and their values as they were sent', async () => {
  serve(
    { a: [treeCall('a', null, 0, 9), treeCall('model', 'a', 1, 5)], b: [treeCall('b', null, 9, null)] },
    { a: { inputs: '{"n":1.50}' }, model: { output: '"On its way"', exception: 'late' }, b: {} },
  )
  const { text, counts, missing } = await run('json', [turn('a'), turn('b')])
  expect(text).toContain('{"n":1.50}')
  expect(JSON.parse(text)).toMatchObject({
    thread_id: 'ticket <1>',
    turns: [
      {
        number: 1,
        id: 'a',
        calls: [
          { id: 'a', inputs: { n: 1.5 }, output: null },
          { id: 'model', output: 'On its way', exception: 'late' },
        ],
      },
      { number: 2, id: 'b', calls: [{ id: 'b', ended_at: null }] },
    ],
    counts: { turns: 2, calls: 3, unreadCalls: 0 },
  })
  expect([counts.calls, missing]).toEqual([3, ''])
  expect(JSON.parse((await run('json', [])).text)).toMatchObject({ turns: [], counts: { turns: 0 } })
})

test('a large value comes in pieces; a turn inside another one has its calls for itself', async () => {
  const output = JSON.stringify('x'.repeat(3_000_000))
  const inner = [treeCall('inner', 'outer', 1, 3), treeCall('below', 'inner', 1, 2)]
  const requests = serve(
    { outer: [treeCall('outer', null, 0, 9), ...inner, treeCall('last', 'outer', 4, 5)], inner },
    { outer: { output }, inner: {}, below: {}, last: {} },
  )
  const { text } = await run('json', [turn('outer'), turn('inner')])
  const { turns } = JSON.parse(text) as { turns: { calls: { id: string; output: unknown }[] }[] } // checked below
  expect(turns.map(({ calls }) => calls.map(({ id }) => id))).toEqual([
    ['outer', 'last'],
    ['inner', 'below'],
  ])
  expect(turns[0]?.calls[0]?.output).toBe(JSON.parse(output))
  expect(requests.filter(({ body }) => body['id'] === 'outer').length).toBeGreaterThan(2)
})

test('what could not be read is counted and said, in the file too', async () => {
  serve({ a: [treeCall('a', null, 0, 9), treeCall('damaged', 'a', 1, 5)] }, { a: {} })
  const { text, missing } = await run('json', [turn('a'), turn('gone')])
  expect(JSON.parse(text)).toMatchObject({
    turns: [{ calls: [{ id: 'a' }, { id: 'damaged', could_not_be_read: ['inputs', 'output', 'attributes', 'summary'] }] }, {}],
    counts: { unreadCalls: 1, unlistedTurns: 1 },
  })
  expect(missing).toBe('Could not be read: 1 turn without all of its calls, 1 call without its content.')
  expect((await run('markdown', [turn('a'), turn('gone')])).text).toContain(missing)
})

test('an export that is stopped has no parts', async () => {
  serve({ a: [treeCall('a', null, 0, 9)] }, { a: {} })
  const stopped = new AbortController()
  stopped.abort()
  expect((await run('json', [turn('a')], stopped.signal)).text).toBe('')
})

test('in Markdown nothing that was sent ends its block or becomes markup', async () => {
  const evil = '```\n# Not a heading\n<img src=x onerror=alert(1)>\n````\n~~~'
  const inputs = JSON.stringify({ messages: [{ role: '[user](http://x)', content: evil }] })
  serve(
    { a: [treeCall('a', null, 0, 9, { name: '<b>*bold*</b> `code`' })] },
    { a: { inputs, output: JSON.stringify({ text: evil }), exception: evil } },
  )
  const { text } = await run('markdown', [{ ...turn('a'), firstWords: 'a\n# b' }])
  const lines = text.split('\n')
  // Read as CommonMark does: a fence ends with at least as many backticks as it began with.
  let fence: string | undefined
  const outside = lines.filter((line) => {
    const marks = /^(`{3,})[a-z]*$/.exec(line)?.[1]
    if (fence === undefined) fence = marks
    else if (marks && line === marks && marks.length >= fence.length) fence = undefined
    else return false
    return marks === undefined
  })
  expect(fence).toBeUndefined()
  expect(outside.join('\n')).not.toMatch(/<img|Not a heading|onerror/)
  expect(outside.filter((line) => line.startsWith('#'))).toEqual([
    String.raw`# Thread ticket \<1\>`,
    String.raw`## Turn 1: a\\u000A\# b`,
    String.raw`### 1.1 \<b\>\*bold\*\<\/b\> \`code\``,
  ])
  expect(text).toContain(evil)
})

test('OTLP has a span for each call; one that came as a span has its own attributes, events and resource again', async () => {
  const otelSpan = {
    kind: 'CLIENT',
    status: { code: 'ERROR', message: 'late' },
    attributes: { session: { id: 's' }, llm: { token_count: { prompt: 12 } } },
    events: [{ name: 'exception', time: '2026-01-01T00:00:00.000001Z', attributes: { count: 2 } }],
    links: [],
    resource: { attributes: { service: { name: 'bot' } } },
    scope: { name: 'lib', version: '1', attributes: {} },
  }
  serve(
    {
      a: [
        treeCall('0192f0c1-2222-7333-8444-aaaaaaaaaaaa', null, 1, 9, { name: 'Answer', op_name: 'weave:///a/b/op/answer:v1' }),
        treeCall('00000000000000ab', 'a', 2, 3),
      ],
    },
    {
      '0192f0c1-2222-7333-8444-aaaaaaaaaaaa': { inputs: '{"q":"?"}', output: '"Yes"', attributes: '{"own":1}', exception: 'no' },
      '00000000000000ab': {
        inputs: '{"input.value":{"q":1}}',
        attributes: JSON.stringify({ otel_span: otelSpan }),
      },
    },
  )
  const { text } = await run('otlp', [turn('a')])
  const { resourceSpans } = JSON.parse(text) as { resourceSpans: unknown[] } // checked below
  expect(resourceSpans).toMatchObject([
    {
      scopeSpans: [
        {
          scope: { name: 'spool.export' },
          spans: [
            {
              spanId: '8444aaaaaaaaaaaa',
              name: 'weave:///a/b/op/answer:v1',
              startTimeUnixNano: '1000',
              endTimeUnixNano: '9000',
              status: { code: 2, message: 'no' },
              attributes: expect.arrayContaining([
                { key: 'wandb.display_name', value: { stringValue: 'Answer' } },
                { key: 'wandb.attributes', value: { stringValue: '{"own":1}' } },
                { key: 'input.value', value: { stringValue: '{"q":"?"}' } },
                { key: 'output.value', value: { stringValue: 'Yes' } },
                { key: 'output.mime_type', value: { stringValue: 'text/plain' } },
              ]),
            },
          ],
        },
      ],
    },
    {
      resource: {
        attributes: expect.arrayContaining([
          { key: 'service', value: { kvlistValue: { values: [{ key: 'name', value: { stringValue: 'bot' } }] } } },
          { key: 'wandb.project', value: { stringValue: 'support' } },
        ]),
      },
      scopeSpans: [
        {
          scope: { name: 'lib', version: '1' },
          spans: [
            {
              spanId: '00000000000000ab',
              kind: 3,
              status: { code: 2, message: 'late' },
              events: [{ name: 'exception', timeUnixNano: '1767225600000001000' }],
              attributes: expect.arrayContaining([{ key: 'input.value', value: { stringValue: '{"q":1}' } }]),
            },
          ],
        },
      ],
    },
  ])
})
