import { randomUUID } from 'node:crypto'
import { expect, readTable, test } from './fixtures'
import type { SpoolClient } from './spool-client'

const monday = Date.UTC(2026, 0, 5, 9)
const name = 'Threads'

type Seed = { thread: string; turns: number; question?: string; error?: string; tokens?: number }

/** Turns with a call of a model below each; the last of them fails with `error`. */
async function writeThreads(client: SpoolClient, projectId: string, threads: readonly Seed[]): Promise<void> {
  let minute = 0
  const batch = threads.flatMap(({ thread, turns, question = 'Hello', error, tokens = 10 }) =>
    Array.from({ length: turns }, (_, index) => {
      minute += 1
      const turnId = randomUUID()
      const traceId = randomUUID()
      const call = (id: string, more: object, end: object) => [
        {
          mode: 'start',
          req: {
            start: {
              project_id: projectId,
              id,
              trace_id: traceId,
              started_at: new Date(monday + minute * 60_000).toISOString(),
              attributes: {},
              ...more,
            },
          },
        },
        {
          mode: 'end',
          req: { end: { project_id: projectId, id, ended_at: new Date(monday + minute * 60_000 + 900).toISOString(), ...end } },
        },
      ]
      return [
        ...call(
          turnId,
          { op_name: 'answer', thread_id: thread, turn_id: turnId, inputs: { question } },
          { summary: {}, output: 'Done' },
        ),
        ...call(
          randomUUID(),
          { op_name: 'chat', parent_id: turnId, inputs: {} },
          {
            summary: { usage: { 'gpt-4o': { prompt_tokens: tokens, completion_tokens: 1 } } },
            exception: index === turns - 1 ? error : undefined,
          },
        ),
      ]
    }).flat(),
  )
  await client.postJson('/call/upsert_batch', { batch })
}

test('the text of an error leads to its thread, by keyboard alone', async ({ page, client, projectId, signIn }) => {
  await writeThreads(client, projectId, [
    { thread: 'calm', turns: 2, question: 'Where is my refund?' },
    { thread: 'broken', turns: 1, error: 'UpstreamTimeout: billing-7 gave no reply' },
  ])
  await signIn('/threads')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(2)
  await page.getByRole('button', { name: 'Words' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Words' })).toBeFocused()
  await page.keyboard.type('no reply upstreamtimeout')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/text=no\+reply\+upstreamtimeout/)
  await expect.poll(async () => (await readTable(page, name)).map((row) => row['Thread'])).toEqual(['broken'])
  await expect(page.getByRole('button', { name: 'Words no reply upstreamtimeout' })).toBeFocused()
  await page.getByRole('button', { name: 'broken' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Thread broken' })).toBeFocused()
})

test('a pasted link combines filters and sorts by what calls cost; each filter can be changed and removed', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeThreads(client, projectId, [
    { thread: 'order-1', turns: 3, error: 'Boom', tokens: 100 },
    { thread: 'order-2', turns: 2, error: 'Boom', tokens: 9000 },
    { thread: 'order-3', turns: 1, error: 'Boom', tokens: 50 },
    { thread: 'chat-1', turns: 5, tokens: 7 },
  ])
  const shown = () => readTable(page, name).then((rows) => rows.map((row) => row['Thread']))
  await signIn('/threads?prefix=order-&errors=only&turns=2&sort=-total_cost')
  await expect.poll(shown).toEqual(['order-2', 'order-1'])
  await expect(page.getByRole('navigation', { name: 'Pages of the table' })).toContainText('end of list')
  expect((await readTable(page, name))[1]).toMatchObject({ Errors: /1/, Tokens: '303' })
  await page.getByRole('button', { name: 'Remove the filter Turns from 2' }).click()
  await expect.poll(shown).toEqual(['order-2', 'order-1', 'order-3'])

  await page.getByRole('button', { name: 'More filters 2' }).click()
  const cost = page.getByRole('textbox', { name: 'Cost, at least' })
  await cost.fill('cheap')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(cost).toBeFocused()
  await expect(page.getByRole('alert')).toHaveText('Write an amount, such as 0.25.')
  await cost.fill('0.01')
  await page.getByRole('textbox', { name: 'Model' }).fill('gpt-4o, other')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/model=gpt-4o,other.*cost=0.01/)
  await expect.poll(shown).toEqual(['order-2'])
  await page.reload()
  await expect.poll(shown).toEqual(['order-2'])
  await page.getByRole('button', { name: 'More filters 5' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(async () => (await shown()).length).toBe(4)
})
