import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TreeCall } from '../../contract/call-tree'
import { toStoredCost } from '../pricing/stored-cost'
import { administrator, openTestApp, parseJsonLines, reviewer, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
const traceId = 'a'.repeat(32)
const [turn, model, tool, inner, other] = ['1', '2', '3', '4', '5'].map((digit) => digit.padStart(16, '0'))
let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  const price = {
    project_id,
    id: 'p',
    llm_id: 'm',
    provider_id: 'default',
    prompt_token_cost: 0.1,
    completion_token_cost: 0.2,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effectiveDate: '2025-01-01T00:00:00Z',
    created_by: 'test',
  }
  await service.store.insert('costs', [toStoredCost(price, Date.now())])
  const used = (llm: string, prompt: number, completion = 0) => ({
    usage: { [llm]: { requests: 1, prompt_tokens: prompt, completion_tokens: completion } },
  })
  const call = (
    id: string | undefined,
    parentId: string | null | undefined,
    second: number,
    more: object = {},
    end: object = {},
  ) => [
    {
      mode: 'start',
      req: {
        start: {
          project_id,
          id,
          trace_id: traceId,
          parent_id: parentId,
          op_name: `weave:///acme/support/op/op-${id?.at(-1)}:v1`,
          started_at: `2026-01-01T00:00:0${second}Z`,
          attributes: {},
          inputs: { text: 'not read' },
          ...more,
        },
      },
    },
    { mode: 'end', req: { end: { project_id, id, ended_at: '2026-01-01T00:00:09Z', summary: {}, ...end } } },
  ]
  const batch = [
    // The SDK adds the usage of the model call to the calls above it.
    ...call(turn, null, 1, {}, { summary: used('m', 10, 1) }),
    ...call(model, turn, 2, { attributes: { kind: 'LLM' } }, { summary: used('m', 10, 1) }),
    ...call(tool, turn, 3, { display_name: 'Look up', attributes: { weave: { kind: 'tool' } } }, { exception: 'No such order' }),
    ...call(inner, tool, 4, {}, { summary: used('unknown', 7) }),
    ...call(other, null, 1, { trace_id: 'b'.repeat(32) }),
  ]
  const response = await service.post('/call/upsert_batch', { batch })
  const { res } = (await response.json()) as { res: unknown[] }
  expect(res).toHaveLength(batch.length)
  expect(JSON.stringify(res)).not.toContain('error')
})
afterAll(() => service.close())

async function read(fields: object, user = administrator as typeof reviewer | typeof administrator) {
  const response = await service.post('/calls/tree', { project_id, ...fields }, user)
  expect(response.status).toBe(200)
  return parseJsonLines(await response.text()) as TreeCall[] // the app checks each by the contract
}

test('the calls of a trace come as a tree, with self time, status and what each spent itself', async () => {
  const calls = await read({ trace_id: traceId })
  expect(calls[0]).toEqual({
    id: turn,
    parent_id: null,
    op_name: 'weave:///acme/support/op/op-1:v1',
    name: 'op-1',
    kind: null,
    started_at: '2026-01-01T00:00:01Z',
    ended_at: '2026-01-01T00:00:09Z',
    status: 'descendant_error',
    self_ms: 1000,
    model: null,
    prompt_tokens: 0,
    completion_tokens: 0,
    costs: [],
    child_count: 2,
  })
  const rest = calls
    .slice(1)
    .map((each) => [each.id, each.parent_id, each.name, each.kind, each.status, each.self_ms, each.model, each.costs])
  expect(rest).toEqual([
    [model, turn, 'op-2', 'llm', 'success', 7000, 'm', [{ currency: 'USD', total: '1.2' }]],
    [tool, turn, 'Look up', 'tool', 'error', 1000, null, []],
    [inner, tool, 'op-4', 'llm', 'success', 5000, 'unknown', []],
  ])
})

test('a call brings all below it; depth and limit cut the answer, and child_count says what is missing', async () => {
  const ids = async (fields: object) => (await read(fields)).map(({ id }) => id)
  expect(await ids({ call_id: tool })).toEqual([tool, inner])
  expect(await ids({ trace_id: traceId, depth: 1 })).toEqual([turn, model, tool])
  expect(await ids({ trace_id: traceId, limit: 2 })).toEqual([turn, model])
  expect(await ids({ trace_id: traceId, limit: 0 })).toEqual([])
  const [cut] = await read({ call_id: turn, depth: 0 })
  expect(cut).toMatchObject({ id: turn, child_count: 2 })
  expect(await ids({ call_id: 'f'.repeat(16) })).toEqual([])
  expect(await ids({ trace_id: 'f'.repeat(32) })).toEqual([])
})

test('no call of a turn is missing where parents form a circle or have not arrived; each says why it is at the top', async () => {
  const [top, a, b, below, orphan] = ['a1', 'a2', 'a3', 'a4', 'a5'].map((end) => end.padStart(16, '0'))
  const parts = [
    // The turn itself is in a circle with the call below it.
    { id: top, parent_id: below, turn_id: top },
    { id: below, parent_id: top },
    { id: a, parent_id: b, turn_id: top },
    { id: b, parent_id: a, turn_id: top },
    { id: orphan, parent_id: 'f'.repeat(16), turn_id: top },
  ]
  const batch = parts.map((part) => ({
    mode: 'start',
    req: {
      start: {
        project_id,
        trace_id: 'c'.repeat(32),
        thread_id: 't',
        op_name: 'op',
        started_at: `2026-01-02T00:00:0${part.id?.at(-1)}Z`,
        attributes: {},
        inputs: {},
        ...part,
      },
    },
  }))
  expect(await (await service.post('/call/upsert_batch', { batch })).text()).not.toContain('error')
  const calls = await read({ call_id: top })
  expect(calls.map(({ id, parent_id: parentId, cut_by: cutBy }) => [id, parentId, cutBy])).toEqual([
    [top, null, 'circle'],
    [below, top, undefined],
    [a, null, 'circle'],
    [b, null, 'circle'],
    [orphan, null, 'missing'],
  ])
  expect(await read({ call_id: top, depth: 0 })).toHaveLength(1)
})

test('exactly one of trace and call is asked for, and another project answers nothing', async () => {
  for (const fields of [{}, { trace_id: traceId, call_id: turn }]) {
    const response = await service.post('/calls/tree', { project_id, ...fields })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain("Exactly one of 'trace_id' and 'call_id' is required.")
  }
  const foreign = await service.post('/calls/tree', { project_id: 'acme/other', trace_id: traceId })
  expect(parseJsonLines(await foreign.text())).toEqual([])
  expect((await service.post('/calls/tree', { project_id: 'acme/other', trace_id: traceId }, reviewer)).status).toBe(403)
})
