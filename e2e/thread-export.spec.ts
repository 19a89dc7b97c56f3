import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { expect, test } from './fixtures'
import type { SpoolClient } from './spool-client'

const nineOClock = Date.UTC(2026, 0, 5, 9)
const at = (second: number) => new Date(nineOClock + second * 1000).toISOString()

/** Two turns: one with a model call and a tool that failed, and one that still runs. */
async function writeThread(client: SpoolClient, projectId: string, threadId: string): Promise<void> {
  const traceId = randomUUID()
  const [turnId, modelId, toolId, runningId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const start = (id: string, second: number, more: object) => ({
    mode: 'start',
    req: {
      start: {
        project_id: projectId,
        id,
        trace_id: traceId,
        thread_id: threadId,
        turn_id: turnId,
        started_at: at(second),
        attributes: { own: { level: 2 } },
        inputs: {},
        ...more,
      },
    },
  })
  const end = (id: string, second: number, more: object) => ({
    mode: 'end',
    req: { end: { project_id: projectId, id, ended_at: at(second), summary: {}, ...more } },
  })
  const usage = { 'gpt-4o': { requests: 1, prompt_tokens: 120, completion_tokens: 8, total_tokens: 128 } }
  await client.postJson('/call/upsert_batch', {
    batch: [
      start(turnId, 0, { op_name: 'answer', inputs: { question: 'May I have ```my``` money back?' } }),
      start(modelId, 1, { op_name: 'chat', display_name: 'Ask the model', parent_id: turnId }),
      start(toolId, 3, { op_name: 'refund', parent_id: turnId }),
      end(modelId, 2.25, { summary: { usage }, output: { role: 'assistant', content: 'Yes, at once.' } }),
      end(toolId, 4, { exception: 'No such order' }),
      // Weave adds up what the calls below spent.
      end(turnId, 5, { summary: { usage }, output: 'Done' }),
      start(runningId, 60, { op_name: 'answer', trace_id: randomUUID(), turn_id: runningId }),
    ],
  })
}

async function save(page: Page, format: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: format }).click()
  return readFileSync(await (await download).path(), 'utf8')
}

/** What must be the same of a thread that was exported and imported: all but the ids. */
async function describe(client: SpoolClient, projectId: string, threadId: string) {
  const turns = await client.postLines('/threads/turns', { project_id: projectId, thread_id: threadId })
  const described = []
  for (const {
    id,
    name,
    started_at,
    duration_ms,
    status,
    call_count,
    prompt_tokens,
    completion_tokens,
    costs,
    models,
  } of turns) {
    const calls = await client.postLines('/calls/tree', { project_id: projectId, call_id: id })
    described.push({
      name,
      started_at,
      duration_ms,
      status,
      call_count,
      prompt_tokens,
      completion_tokens,
      costs,
      models,
      calls: calls.map((call) => [call['name'], call['status'], call['started_at'], call['ended_at'], call['child_count']]),
    })
  }
  return described
}

test('a thread is saved as JSON, Markdown and OTLP, and OTLP makes the same thread in another project', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeThread(client, projectId, 'ticket/7')
  await signIn(`/threads/${encodeURIComponent('ticket/7')}`)
  await expect(page.getByRole('list', { name: 'Turns' }).getByRole('button', { name: 'Turn 2' })).toBeVisible()
  const json = JSON.parse(await save(page, 'As JSON')) as { turns: { calls: Record<string, unknown>[] }[] } // compared below
  expect(json).toMatchObject({ thread_id: 'ticket/7', counts: { turns: 2, calls: 4, unreadCalls: 0 } })
  expect(json.turns[0]?.calls[1]).toMatchObject({
    name: 'Ask the model',
    output: { role: 'assistant', content: 'Yes, at once.' },
  })

  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeFocused()

  const markdown = await save(page, 'As Markdown')
  expect(markdown).toContain('# Thread ticket\\/7')
  expect(markdown).toContain('May I have ```my``` money back?')
  expect(markdown).toContain('Error:\n\n```\nNo such order\n```')

  const other = `${projectId}-copy`
  const otlp: unknown = JSON.parse(await save(page, 'As OpenTelemetry'))
  const imported = await client.post('/otel/v1/traces', otlp, { project_id: other })
  expect([imported.status, await imported.json()]).toEqual([200, {}])
  expect(await describe(client, other, 'ticket/7')).toEqual(await describe(client, projectId, 'ticket/7'))
  const [answer] = await client.postLines('/calls/stream_query', {
    project_id: other,
    sort_by: [{ field: 'started_at', direction: 'asc' }],
  })
  expect(answer).toMatchObject({
    inputs: { 'input.value': { question: 'May I have ```my``` money back?' } },
    output: { 'output.value': 'Done' },
    attributes: { own: { level: 2 } },
  })
})
