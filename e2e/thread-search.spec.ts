import { randomUUID } from 'node:crypto'
import { expect, readTable, test } from './fixtures'
import type { SpoolClient } from './spool-client'
import { tabTo } from './tab-to'

const monday = Date.UTC(2026, 0, 5, 9)
const name = 'Threads'

type Seed = { thread: string; turns: number; question?: string; error?: string; tokens?: number }

/** Turns with a call of a model below each; the last of them fails with `error`. */
async function writeThreads(client: SpoolClient, projectId: string, threads: readonly Seed[], from = monday): Promise<void> {
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
              started_at: new Date(from + minute * 60_000).toISOString(),
              attributes: {},
              ...more,
            },
          },
        },
        {
          mode: 'end',
          req: { end: { project_id: projectId, id, ended_at: new Date(from + minute * 60_000 + 900).toISOString(), ...end } },
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

test('the text of an error leads to its thread and its call, by keyboard alone and by mouse', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
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
  const panel = page.getByRole('dialog', { name: 'Thread broken' })
  await expect(panel).toBeFocused()
  const next = panel.getByRole('button', { name: 'Next call that matches' })
  await tabTo(page, 'Next call that matches', 'button')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('Match 1 of 1')
  await expect(panel).toContainText('UpstreamTimeout: billing-7 gave no reply')
  await expect(next).toBeFocused()

  await page.goto('/threads')
  await page.getByRole('button', { name: 'Words' }).click()
  await page.getByRole('textbox', { name: 'Words' }).fill('billing-7')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'broken', exact: true }).click()
  await next.click()
  await expect(panel).toContainText('UpstreamTimeout: billing-7 gave no reply')
})

test('the calls that match are opened one after the other, and filters of the whole thread name none', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeThreads(client, projectId, [{ thread: 'long', turns: 3, question: 'Where is my refund?', error: 'Late' }])
  await signIn('/threads?text=refund&row=long')
  const panel = page.getByRole('dialog', { name: 'Thread long' })
  await expect(panel).toContainText('3 calls match the filter')
  await expect(panel.getByRole('button', { name: /^Turn \d/ })).toHaveCount(3)
  await expect(panel.getByRole('button', { name: /^Turn .* matches / }), 'a mark on each turn says nothing').toHaveCount(0)
  const next = panel.getByRole('button', { name: 'Next call that matches' })
  for (const index of [1, 2, 3, 1]) {
    await next.click()
    await expect(panel.getByRole('heading', { name: `Turn ${index} of 3` })).toBeVisible()
    await expect(panel).toContainText(`Match ${index} of 3`)
  }
  await panel.getByRole('button', { name: 'Previous call that matches' }).click()
  await expect(panel).toContainText('Match 3 of 3')
  await page.keyboard.press('k')
  await expect(panel).toContainText('Match 2 of 3')
  await page.keyboard.press('j')
  await expect(panel).toContainText('Match 3 of 3')
  await page.keyboard.press('Escape')
  await expect(panel, 'Escape closes the turn, and the thread stays').toContainText('3 calls match the filter')

  // From a turn that is open, without one of its calls that match.
  const [second] = await client.postLines('/calls/stream_query', {
    project_id: projectId,
    filter: { thread_ids: ['long'] },
    sort_by: [{ field: 'started_at', direction: 'asc' }],
    offset: 1,
    limit: 1,
  })
  await page.goto(`/threads?text=refund&row=long&turn=${String(second?.['id'])}`)
  await expect(panel.getByRole('heading', { name: 'Turn 2 of 3' })).toBeVisible()
  await next.click()
  await expect(panel).toContainText('Match 2 of 3')

  // A turn that came since.
  await writeThreads(client, projectId, [{ thread: 'long', turns: 1, question: 'A refund, please' }], monday + 3_600_000)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(panel).toContainText('Match 2 of 4')

  // Other words, and an error: no call has both, so each that has one counts.
  await writeThreads(client, projectId, [{ thread: 'long', turns: 1, question: 'Thank you' }], monday + 7_200_000)
  await page.goto('/threads?text=refund&errors=only&row=long')
  await expect(panel).toContainText('5 calls match 1 of the 2 filters')
  await expect(panel.getByRole('button', { name: /^Turn \d.* matches in part / })).toHaveCount(4)
  // Only the turn whose call failed.
  await page.goto('/threads?errors=only&row=long')
  await expect(panel.getByRole('button', { name: /^Turn \d.* matches / })).toHaveText(/^Turn 3/)
  // These filters look at the thread.
  await page.goto('/threads?turns=2&row=long')
  await expect(panel.getByRole('list', { name: 'Turns' })).toBeVisible()
  await expect(next).toBeHidden()
})

test('a text without a word is not searched for, and says so in the form and for a link', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeThreads(client, projectId, [{ thread: 'calm', turns: 1, question: 'Where is my refund?' }])
  await signIn('/threads')
  await page.getByRole('button', { name: 'Words' }).click()
  const words = page.getByRole('textbox', { name: 'Words' })
  await words.fill('*')
  await words.press('Enter')
  const message = 'The text has no word to search for.'
  await expect(page.getByRole('dialog', { name: 'Words' })).toContainText(message)
  await expect(page).not.toHaveURL(/text=/)
  await page.goto('/threads?text=👍')
  await expect(page.getByText(message)).toBeVisible()
  await expect.poll(async () => (await readTable(page, name)).map((row) => row['Thread'])).toEqual(['calm'])
  await page.getByRole('button', { name: 'Words 👍' }).click()
  await expect(page.getByRole('dialog', { name: 'Words' })).toContainText(message)
})

test('what changed since the last visit is marked, unless every row did; filters are completed by what the project has', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeThreads(client, projectId, [
    { thread: 'before', turns: 1 },
    { thread: 'changed', turns: 3 },
    { thread: 'begun', turns: 1 },
  ])
  const visit = (minute: number) => ({ sinceMs: monday + minute * 60_000, lastSeenMs: Date.now() })
  const key = `spool.threads.visit.${projectId}`
  await signIn('/threads')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(3)
  await expect(page.getByTitle(/since your last visit/)).toHaveCount(0)
  const open = async (minute: number) => {
    // The list stores its own visit each time it is read again.
    await page.goto('/costs')
    await page.evaluate(([where, value]) => localStorage.setItem(where ?? '', value ?? ''), [key, JSON.stringify(visit(minute))])
    await page.goto('/threads')
    await expect.poll(async () => (await readTable(page, name)).length).toBe(3)
  }
  const marks = async () =>
    (await readTable(page, name)).map((row) => [row['Thread'], /new|updated/.exec(row['Last updated'] ?? '')?.[0]])
  // Minute 1 is the turn of "before", 2 to 4 those of "changed", 5 that of "begun".
  await open(3.5)
  await expect.poll(marks).toEqual([
    ['begun', 'new'],
    ['changed', 'updated'],
    ['before', undefined],
  ])
  await page.getByRole('button', { name: 'changed', exact: true }).click()
  const turns = page.getByRole('list', { name: 'Turns' })
  await expect(turns.getByTitle(/since your last visit/)).toHaveCount(1)
  await expect(turns.getByRole('button', { name: 'Turn 3' })).toContainText('new')
  await open(0)
  await expect(page.getByTitle(/since your last visit/)).toHaveCount(0)

  await page.getByRole('button', { name: 'More filters' }).click()
  const model = page.getByRole('combobox', { name: 'Model' })
  await model.fill('other, G')
  const suggestion = page.getByRole('option', { name: 'gpt-4o' })
  await expect(suggestion).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(suggestion).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(model).toHaveValue('other, gpt-4o')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/model=other,gpt-4o/)
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
  await page.getByRole('combobox', { name: 'Model' }).fill('gpt-4o, other')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/model=gpt-4o,other.*cost=0.01/)
  await expect.poll(shown).toEqual(['order-2'])
  await page.reload()
  await expect.poll(shown).toEqual(['order-2'])
  await page.getByRole('button', { name: 'More filters 5' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(async () => (await shown()).length).toBe(4)
})
