import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { bundledCatalog, syncCatalog } from '../../pricing/sync-catalog'
import { drain, listen } from '../../listen'
import { administrator, parseJsonLines, openTestApp, type TestApp } from '../../testing/test-app'

// The Weave SDK from npm, unchanged, in a process of its own. Two environment variables name the server and the key.

const projectId = 'acme/support'
const program = fileURLToPath(new URL('./testing/weave-program.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'spool-weave-'))
const servers: Server[] = []
/** Method, path and status of each request. */
const requestLog: string[] = []

let service: TestApp
let run: { code: number | null; stdout: string; stderr: string }
let printed: Printed

const Printed = z.object({
  answered: z.unknown(),
  answerCallId: z.string(),
  failure: z.string(),
  completion: z.string(),
  datasetRef: z.string(),
  readBack: z.array(z.object({ row: z.unknown(), ref: z.string() })),
  summary: z.object({ isRight: z.unknown() }),
})
type Printed = z.infer<typeof Printed>

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  return listen(server, '127.0.0.1', 0)
}

/** The only fake: a completion endpoint that always says hello. */
const completions: RequestListener = (request, response) => {
  request.resume()
  const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ id: 'completion-1', object: 'chat.completion', model: 'gpt-4o-mini', choices, usage }))
}

beforeAll(async () => {
  service = await openTestApp()
  await syncCatalog(service.store, await bundledCatalog(), Date.now())
  const respond = getRequestListener(service.app.fetch)
  const url = await serve((request, response) => {
    response.on('finish', () => requestLog.push(`${request.method} ${request.url} ${response.statusCode}`))
    void respond(request, response)
  })
  const child = spawn(process.execPath, [program, projectId, await serve(completions)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, WF_TRACE_SERVER_URL: url, WANDB_API_KEY: administrator.password },
  })
  run = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (run.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (run.stderr += chunk.toString()))
  run.code = await new Promise((ended) => {
    child.on('close', ended)
  })
  const last = run.stdout.trimEnd().split('\n').at(-1) ?? ''
  printed = Printed.parse(last.startsWith('{') ? JSON.parse(last) : { output: run.stdout + run.stderr })
}, 60_000)
afterAll(async () => {
  for (const server of servers) await drain(server, 0)
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the program ends with 0, every request succeeds, and neither the SDK nor the service logs an error', () => {
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const lines = run.stdout.trimEnd().split('\n').slice(0, -1)
  expect(lines.filter((line) => !/^(?:Initializing project: |🍩 https:|Evaluating \d\/3 )/.test(line))).toEqual([])
  expect(requestLog.filter((line) => !line.endsWith(' 200'))).toEqual([])
  expect(new Set(requestLog.map((line) => line.split(' ')[1]))).toEqual(
    new Set([
      '/call/upsert_batch',
      '/call/update',
      '/obj/create',
      '/obj/read',
      '/file/create',
      '/table/create',
      '/table/query',
      '/feedback/create',
    ]),
  )
  expect(service.errorLog).toEqual([])
  expect(existsSync(join(folder, 'weaveErrors.log'))).toBe(false)
})

const Call = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: z.string().nullable(),
  op_name: z.string(),
  display_name: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string(),
  exception: z.string().nullable(),
  attributes: z.record(z.string(), z.unknown()),
  inputs: z.record(z.string(), z.unknown()),
  output: z.unknown(),
  summary: z.looseObject({
    usage: z.record(z.string(), z.unknown()).optional(),
    weave: z.looseObject({ status: z.string(), costs: z.record(z.string(), z.unknown()).optional() }),
  }),
})
type Call = z.infer<typeof Call>

async function readCalls(): Promise<Call[]> {
  const response = await service.post('/calls/stream_query', { project_id: projectId, include_costs: true })
  expect(response.status).toBe(200)
  return parseJsonLines(await response.text()).map((line) => Call.parse(line))
}

const toOpName = ({ op_name: name }: Call) => /\/op\/(.+):\w+$/.exec(name)?.[1]

test('every call is stored with its parent, trace, inputs, output and exception', async () => {
  const calls = await readCalls()
  const counts: Record<string, number> = {}
  for (const call of calls) counts[toOpName(call) ?? call.op_name] = (counts[toOpName(call) ?? call.op_name] ?? 0) + 1
  expect(counts).toEqual({
    answer: 1,
    retrieve: 2,
    fail: 1,
    measure: 2,
    'openai.chat.completions.create': 1,
    'Evaluation.evaluate': 2,
    'Evaluation.predictAndScore': 3,
    guess: 3,
    isRight: 3,
    'Evaluation.predict_and_score': 1,
    'Model.predict': 1,
    'politeness.score': 1,
    'Evaluation.summarize': 1,
    draw: 1,
  })
  const named = (name: string) => calls.filter((call) => toOpName(call) === name)
  const [answer] = named('answer')
  expect(answer).toMatchObject({
    id: printed.answerCallId,
    parent_id: null,
    display_name: 'Wozu? – später benannt',
    inputs: { arg0: 'wozu?' },
    output: printed.answered,
    exception: null,
    attributes: { deployment: 'grün', request: 'r-1', weave: { source: 'js-sdk' } },
    summary: { weave: { status: 'success' } },
  })
  expect(printed.answered).toEqual({ text: '„wozu?“: 2', nothing: null })
  expect(named('retrieve').map((call) => [call.parent_id, call.trace_id, call.output])).toEqual([
    [answer?.id, answer?.trace_id, ['about wozu?', 'naïve 日本語 😀']],
    [named('fail')[0]?.id, named('fail')[0]?.trace_id, ['about mit Absicht', 'naïve 日本語 😀']],
  ])
  expect(named('fail')).toMatchObject([{ exception: printed.failure, output: null, summary: { weave: { status: 'error' } } }])
  const inputs = named('measure').map((call) => call.inputs['arg0'])
  expect(inputs).toEqual(['abc', 'ä'.repeat(3_000_000)])
  expect(named('measure').map((call) => call.output)).toEqual([3, 3_000_000])
  // Every parent is stored, in the trace of its child.
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const call of calls) {
    if (call.parent_id !== null) expect(byId.get(call.parent_id)?.trace_id).toBe(call.trace_id)
  }
})

test('a model call has its usage, and costs by the built-in catalog', async () => {
  const calls = await readCalls()
  const call = calls.find((each) => toOpName(each) === 'openai.chat.completions.create')
  expect(printed.completion).toBe('Hello')
  expect(call).toMatchObject({
    inputs: { model: 'gpt-4o-mini' },
    summary: {
      usage: { 'gpt-4o-mini': { requests: 1, prompt_tokens: 1000, completion_tokens: 200 } },
      weave: {
        // 0.15 and 0.60 dollars per million tokens
        costs: { 'gpt-4o-mini': { prompt_tokens_total_cost: 0.00015, completion_tokens_total_cost: 0.00012 } },
      },
    },
  })
})

test('the program reads its dataset back, and the rows are those of the table', async () => {
  const rows = [
    { country: 'France', capital: 'Paris' },
    { country: 'Österreich', capital: 'Wien' },
    { country: 'Österreich', capital: 'Wien' },
  ]
  expect(printed.readBack.map(({ row }) => row)).toEqual(rows)
  const table = /^weave:\/\/\/acme\/support\/table\/(\w+)\/id\/\w+$/.exec(printed.readBack[0]?.ref ?? '')?.[1]
  const answer = await service.post('/table/query', { project_id: projectId, digest: table })
  expect(await answer.json()).toMatchObject({ rows: rows.map((val, index) => ({ val, original_index: index })) })
  const refs = [`${printed.datasetRef}/attr/rows`, ...printed.readBack.map(({ ref }) => ref)]
  const read = await service.post('/refs/read_batch', { refs })
  expect(await read.json()).toEqual({ vals: [`weave:///acme/support/table/${table}`, ...rows] })
})

test('objects and ops are listed with their classes, and repeated ones only once', async () => {
  const list = async (filter: object) => {
    const sort_by = [{ field: 'object_id', direction: 'asc' }]
    const response = await service.post('/objs/query', { project_id: projectId, filter, sort_by, metadata_only: true })
    const { objs } = (await response.json()) as {
      objs: { object_id: string; base_object_class: string; version_index: number }[]
    }
    return objs.map((version) => [version.object_id, version.base_object_class, version.version_index])
  }
  expect(await list({ is_op: false })).toEqual([
    ['by-hand', 'Evaluation', 0],
    ['capital-quiz', 'Evaluation', 0],
    ['capitals', 'Dataset', 0],
    ['me', 'Model', 0],
    ['politeness', 'Scorer', 0],
  ])
  expect(await list({ base_object_classes: ['Scorer', 'AnnotationSpec'], latest_only: true })).toEqual([
    ['politeness', 'Scorer', 0],
  ])
  const ops = await list({ is_op: true })
  expect(ops.map(([name]) => name)).toEqual([
    'Evaluation.evaluate',
    'Evaluation.evaluate',
    'Evaluation.predictAndScore',
    'Evaluation.predict_and_score',
    'Evaluation.summarize',
    'Model.predict',
    'answer',
    'draw',
    'fail',
    'guess',
    'isRight',
    'measure',
    'openai.chat.completions.create',
    'politeness.score',
    'retrieve',
  ])
})

test('the code of an op and the bytes of an image are stored in files', async () => {
  const readContent = async (digest: string | undefined) => {
    const response = await service.post('/file/content', { project_id: projectId, digest })
    return Buffer.from(await response.arrayBuffer())
  }
  const read = await service.post('/obj/read', { project_id: projectId, object_id: 'retrieve', digest: 'latest' })
  const { obj } = z
    .object({ obj: z.object({ val: z.object({ files: z.record(z.string(), z.string()) }) }) })
    .parse(await read.json())
  expect((await readContent(obj.val.files['obj.py'])).toString()).toContain('naïve 日本語 😀')
  const draw = (await readCalls()).find((call) => toOpName(call) === 'draw')
  const { image } = z.object({ image: z.object({ files: z.record(z.string(), z.string()) }) }).parse(draw?.output)
  expect([...(await readContent(image.files['image.png']))]).toEqual([0x89, 0x50, 0, 0xff, 0x0d, 0x0a, 0xfe])
})

test('a logged score is feedback on its call', async () => {
  const predict = (await readCalls()).find((call) => toOpName(call) === 'Model.predict')
  const query = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: `weave:///${projectId}/call/${predict?.id}` }] } }
  const response = await service.post('/feedback/query', { project_id: projectId, query })
  expect(await response.json()).toMatchObject({
    result: [
      {
        feedback_type: 'wandb.runnable.politeness',
        payload: { output: 0.75 },
        runnable_ref: expect.stringContaining('politeness:') as string,
      },
    ],
  })
})
