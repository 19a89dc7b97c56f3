import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, basic, openTestApp, type TestApp } from '../../testing/test-app'

// Requests as the Weave SDK for Python sends them: with all fields of its models, null where a value is missing, and JSON
// without a content type. The SDK itself does not run here.

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const project_id = 'acme/support'

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await service.app.request(path, {
    method: 'POST',
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: { authorization: basic({ username: 'api', password: administrator.password }), 'x-weave-retry-id': 'r' },
  })
  const value = (await response.json()) as Record<string, unknown> // the service validates its responses by the contract
  expect(response.status, `${path} ${JSON.stringify(value)}`).toBe(200)
  return value
}

test('before it traces, the SDK reads the server version and the project', async () => {
  const info = await service.send('/server_info')
  expect(await info.json()).toEqual({
    min_required_weave_python_version: '0.0.0',
    service: 'spool',
    trace_server_version: expect.any(String) as string,
  })
  const query =
    'query Project($name: String!, $entityName: String!) {\n  project(name: $name, entityName: $entityName) {\n    name\n  }\n}'
  expect(await post('/graphql', { query, variables: { entityName: 'acme', name: 'support' } })).toMatchObject({
    data: { project: { name: 'support' } },
  })
})

test('a turn is sent as a complete call, the call below it as start and end', async () => {
  const turn = '019f0000-0000-7000-8000-000000000001'
  const child = '019f0000-0000-7000-8000-000000000002'
  const call = {
    project_id,
    id: turn,
    op_name: 'weave:///acme/support/op/answer:abc',
    display_name: null,
    trace_id: '019f0000-0000-7000-8000-000000000000',
    parent_id: null,
    thread_id: 'ticket-1042',
    turn_id: turn,
    started_at: '2026-01-31T09:30:00.123456Z',
    attributes: { weave: { client_version: '0.52', source: 'python-sdk' } },
    inputs: { question: 'wozu?' },
    otel_dump: null,
    wb_user_id: null,
    wb_run_id: null,
    wb_run_step: null,
  }
  const whole = {
    ...call,
    ended_at: '2026-01-31T09:30:01.123456Z',
    exception: null,
    output: { text: 'darum' },
    summary: { usage: {}, status_counts: { success: 2, error: 0 } },
    wb_run_step_end: null,
  }
  await post('/v2/acme/support/calls/complete', { batch: [whole] })
  const start = { ...call, id: child, parent_id: turn, op_name: 'retrieve' }
  await post('/v2/acme/support/call/start', { start })
  const end = {
    project_id,
    id: child,
    ended_at: '2026-01-31T09:30:00.5Z',
    started_at: null,
    exception: null,
    output: null,
    summary: {},
    wb_run_step_end: null,
  }
  await post('/v2/acme/support/call/end', { end })
  const threads = await service.post('/threads/stream_query', { project_id })
  expect(JSON.parse(await threads.text())).toMatchObject({ thread_id: 'ticket-1042', turn_count: 1, p50_turn_duration_ms: 1000 })
  expect(
    await post('/call/read', {
      project_id,
      id: child,
      include_costs: false,
      include_storage_size: false,
      include_total_storage_size: false,
    }),
  ).toMatchObject({
    call: { parent_id: turn, thread_id: 'ticket-1042', turn_id: turn },
  })
  await post('/call/update', { project_id, call_id: turn, display_name: 'Wozu', wb_user_id: null })
  expect(await post('/call/read', { project_id, id: turn })).toMatchObject({ call: { display_name: 'Wozu' } })
})

test('an op with its code and a dataset with its rows are stored and read back', async () => {
  const code = 'import weave\n\n@weave.op\ndef answer(question: str) -> str:\n    return "darüber"\n'
  const form = [
    '--4f1e\r\nContent-Disposition: form-data; name="project_id"\r\n\r\nacme/support\r\n',
    `--4f1e\r\nContent-Disposition: form-data; name="file"; filename="obj.py"\r\nContent-Type: text/x-python\r\n\r\n${code}\r\n`,
    '--4f1e--\r\n',
  ].join('')
  const sent = await service.send('/files/create', {
    method: 'POST',
    body: form,
    headers: { 'content-type': 'multipart/form-data; boundary=4f1e' },
  })
  const { digest: file } = (await sent.json()) as { digest: string }
  const read = await service.post('/files/content', { project_id, digest: file })
  expect(await read.text()).toBe(code)

  const nothing = { builtin_object_class: null, set_base_object_class: null, wb_user_id: null, expected_digest: null }
  const op = { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { 'obj.py': file } }
  await post('/obj/create', { obj: { project_id, object_id: 'answer', val: op, ...nothing } })

  const rows = [{ question: 'wozu?' }, { question: 'woher?' }]
  const table = await post('/table/create', { table: { project_id, rows, expected_digest: null } })
  const val = {
    _type: 'Dataset',
    name: 'fragen',
    rows: `weave:///acme/support/table/${String(table['digest'])}`,
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
  }
  const { digest } = await post('/obj/create', { obj: { project_id, object_id: 'fragen', val, ...nothing } })
  const object = { project_id, object_id: 'fragen', digest, metadata_only: false, include_tags_and_aliases: null }
  expect(await post('/obj/read', object)).toMatchObject({ obj: { val, base_object_class: 'Dataset', kind: 'object' } })
  const page = { filter: { row_digests: null }, limit: 100, offset: 0, sort_by: null }
  expect(await post('/table/query', { project_id, digest: table['digest'], ...page })).toMatchObject({
    rows: rows.map((each, index) => ({ val: each, original_index: index })),
  })
  const filter = {
    base_object_classes: ['Dataset'],
    exclude_base_object_classes: null,
    leaf_object_classes: null,
    object_ids: null,
    is_op: false,
    latest_only: true,
    tags: null,
    aliases: null,
  }
  const query = {
    project_id,
    filter,
    limit: null,
    offset: null,
    sort_by: null,
    metadata_only: false,
    include_storage_size: false,
  }
  expect(await post('/objs/query', query)).toMatchObject({ objs: [{ object_id: 'fragen', version_index: 0, is_latest: 1 }] })
})

test('feedback is created in a batch and queried by its reference', async () => {
  const weave_ref = 'weave:///acme/support/call/019f0000-0000-7000-8000-000000000001'
  const refs = { annotation_ref: null, runnable_ref: null, call_ref: null, trigger_ref: null }
  const id = '019f0000-0000-7000-8000-0000000000aa'
  const feedback = {
    id,
    project_id,
    weave_ref,
    creator: null,
    feedback_type: 'wandb.reaction.1',
    payload: { emoji: '👍' },
    ...refs,
  }
  await post('/feedback/batch/create', { batch: [{ ...feedback, wb_user_id: null, created_at: null }] })
  const query = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: weave_ref }] } }
  expect(await post('/feedback/query', { project_id, fields: null, query, sort_by: null, limit: null, offset: 0 })).toMatchObject(
    {
      result: [{ id, payload: { emoji: '👍' }, wb_user_id: 'admin' }],
    },
  )
})
