import { findViolations } from './find-violations'
import { expect, test } from './fixtures'
import type { SpoolClient } from './spool-client'

const nineOClock = Date.UTC(2026, 0, 5, 9)
const toId = (index: number) => index.toString(16).padStart(16, '0')
const turnId = toId(1)

type CallSeed = { id: string; parentId: string | null; name: string; fromMs: number; toMs: number; start?: object; end?: object }

async function writeCalls(client: SpoolClient, projectId: string, calls: readonly CallSeed[]): Promise<void> {
  const batch = calls.flatMap(({ id, parentId, name, fromMs, toMs, start = {}, end = {} }) => {
    const common = { project_id: projectId, id }
    const startedAt = new Date(nineOClock + fromMs).toISOString()
    const endedAt = new Date(nineOClock + toMs).toISOString()
    return [
      {
        mode: 'start',
        req: {
          start: {
            ...common,
            trace_id: 'a'.repeat(32),
            parent_id: parentId,
            op_name: name,
            started_at: startedAt,
            attributes: {},
            inputs: {},
            ...start,
          },
        },
      },
      { mode: 'end', req: { end: { ...common, ended_at: endedAt, summary: {}, ...end } } },
    ]
  })
  await client.postJson('/call/upsert_batch', { batch })
}

test('a turn with hostile content, 200 levels, a circle and clocks that differ is read, found in and inspected', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const levels = Array.from({ length: 200 }, (_, index) => ({
    id: toId(100 + index),
    parentId: index === 0 ? turnId : toId(99 + index),
    name: `level ${index + 1}`,
    fromMs: 2000 + index,
    toMs: 4000 - index,
  }))
  const messages = [{ role: 'user', content: '<img src=x onerror="document.title=1"> \u202Etxt.exe שלום' }]
  await writeCalls(client, projectId, [
    {
      id: turnId,
      parentId: null,
      name: 'answer <b>',
      fromMs: 0,
      toMs: 5000,
      start: { thread_id: 'hostile', turn_id: turnId, inputs: { messages, model: 'gpt-4o' } },
      end: { output: '{"not": json' },
    },
    { id: toId(2), parentId: turnId, name: 'early', fromMs: -700, toMs: 900 },
    { id: toId(3), parentId: toId(4), name: 'circle', fromMs: 10, toMs: 20 },
    { id: toId(4), parentId: toId(3), name: 'circle too', fromMs: 10, toMs: 20 },
    {
      id: toId(5),
      parentId: turnId,
      name: 'tool',
      fromMs: 1000,
      toMs: 1800,
      end: { exception: 'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: <b>1042</b>' },
    },
    ...levels,
  ])
  await signIn(`/threads/hostile?turn=${turnId}`)
  const tree = page.getByRole('treegrid', { name: 'Calls of this turn' })
  // The first look waits for the service to read the thread, its turns and its calls.
  await expect(page.getByText('203 calls', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('1 call starts before the call above: clocks differ')).toBeVisible()
  await expect(tree.getByRole('row', { name: /early/ })).toContainText('It starts 700 ms before the call above it')

  const title = await page.title()
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    // At another width the tree may be drawn anew after the key was pressed.
    await expect(async () => {
      await tree.focus()
      await page.keyboard.press('End')
      await expect(tree.getByRole('row', { name: /level 200/ })).toHaveAttribute('aria-level', '201', { timeout: 2000 })
    }).toPass({ timeout: 20_000 })
    // However deep they are, names have room.
    const names = tree.locator('.truncate', { hasText: /^level \d+$/ })
    expect(await names.evaluateAll((found) => found.every((name) => name.clientWidth >= name.scrollWidth))).toBe(true)
  }
  await page.keyboard.type('tool')
  await page.keyboard.press('Enter')
  const call = page.getByRole('region', { name: 'Call tool' })
  await expect(call).toContainText('KeyError: <b>1042</b>')
  await expect(page).toHaveURL(new RegExp(`call=${toId(5)}`))
  await page.keyboard.press('Escape')
  await expect(call).toHaveCount(0)
  await expect(tree).toBeFocused()

  await tree.getByRole('row', { name: /answer <b>/ }).click()
  const turn = page.getByRole('region', { name: 'Call answer <b>' })
  await expect(turn.getByRole('list', { name: 'Input of this call' })).toContainText(
    String.raw`<img src=x onerror="document.title=1"> \u202Etxt.exe שלום`,
  )
  await expect(turn).toContainText('{"not": json')
  await turn.getByText('JSON', { exact: true }).first().click()
  await expect(turn.getByRole('list', { name: 'Input of this call' })).toContainText('gpt-4o')
  expect(await page.title()).toBe(title)

  await page.reload()
  await expect(turn).toContainText('{"not": json')
  expect(await findViolations(page, '.turn-detail')).toEqual([])
})

test('the duration, model, tokens and cost of a call are on screen when it is opened', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await client.postJson('/cost/create', {
    project_id: projectId,
    costs: { house: { prompt_token_cost: 0.001, completion_token_cost: 0.002, effective_date: '2020-01-01' } },
  })
  const usage = { house: { prompt_tokens: 1200, completion_tokens: 34 } }
  await writeCalls(client, projectId, [
    { id: turnId, parentId: null, name: 'answer', fromMs: 0, toMs: 5000, start: { thread_id: 'a', turn_id: turnId } },
    // As many as a page has room for, and a question of many lines.
    ...Array.from({ length: 20 }, (_, index) => ({
      id: toId(100 + index),
      parentId: turnId,
      name: `step ${index}`,
      fromMs: 10,
      toMs: 20,
    })),
    {
      id: toId(2),
      parentId: turnId,
      name: 'model',
      fromMs: 1000,
      toMs: 3500,
      start: { inputs: { question: 'Why?\n'.repeat(200) } },
      end: { summary: { usage } },
    },
  ])
  await page.setViewportSize({ width: 1280, height: 1000 })
  await signIn(`/threads/a?turn=${turnId}&call=${toId(2)}`)
  const call = page.getByRole('region', { name: 'Call model' })
  for (const text of ['2.50 s', 'house', '1,200 in, 34 out', '1.27 USD']) {
    await expect(call.locator('header').getByText(text, { exact: true })).toBeInViewport()
  }
  await expect(call.getByRole('table').getByText('prompt', { exact: false }).first()).toBeAttached()
  const overflow = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  expect(overflow, 'only the call scrolls, not the page').toBeLessThanOrEqual(0)
})

test('what a search finds and the next error are on screen, also far down and on a phone', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const steps = Array.from({ length: 300 }, (_, index) => ({
    id: toId(2 + index),
    parentId: turnId,
    name: `step ${index + 1}`,
    fromMs: index * 10,
    toMs: index * 10 + 5,
    ...([120, 290].includes(index) && { end: { exception: `No ${index + 1}` } }),
  }))
  const thread = { thread_id: 'long', turn_id: turnId }
  await writeCalls(client, projectId, [
    { id: turnId, parentId: null, name: 'answer', fromMs: 0, toMs: 5000, start: thread },
    ...steps,
  ])
  await page.setViewportSize({ width: 320, height: 568 })
  await signIn(`/threads/long?turn=${turnId}`)
  const search = page.getByRole('searchbox', { name: 'Find a call by name' })
  const row = (name: string) => page.getByRole('treegrid').getByRole('row', { name })
  const nextError = page.getByRole('button', { name: 'Next error' })
  for (const size of [
    { width: 320, height: 568 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await search.fill('step 250')
    await expect(row('step 250')).toBeInViewport({ ratio: 0.9 })
    await expect(search).toBeInViewport()
    await search.fill('')
    for (const [name, exception] of [
      ['step 291', 'No 291'],
      ['step 121', 'No 121'],
    ] as const) {
      await nextError.click()
      await expect(row(name)).toBeInViewport({ ratio: 0.9 })
      await expect(page.getByRole('heading', { level: 3, name })).toBeInViewport()
      await expect(page.getByRole('region', { name: `Call ${name}` })).toContainText(exception)
    }
    // The focus is still on the button. The turn stays.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: /^Call step/ })).toHaveCount(0)
    await expect(search).toBeVisible()
  }
})
