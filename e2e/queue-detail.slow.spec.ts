import { FaultProxy } from './fault-proxy'
import { expect, signInByForm, test } from './fixtures'
import type { SpoolClient } from './spool-client'

/** A queue with finished turns of one thread, and what another client does with it. */
async function createQueue(client: SpoolClient, project_id: string, name: string, itemCount = 3, settings: object = {}) {
  const now = Date.now()
  const ids = Array.from({ length: itemCount }, (_, index) => (now + index).toString(16).padStart(16, '0'))
  const batch = ids.flatMap((id, index) => {
    const at = new Date(now - 60_000 + index * 1000).toISOString()
    const start = { project_id, id, trace_id: id + id, op_name: 'support_bot.answer', started_at: at, attributes: {}, inputs: {} }
    return [
      { mode: 'start', req: { start: { ...start, thread_id: 'chat/7', turn_id: id } } },
      { mode: 'end', req: { end: { project_id, id, ended_at: at, summary: {}, output: 'x' } } },
    ]
  })
  await client.postJson('/call/upsert_batch', { batch })
  const created = (await client.postJson('/annotation_queues', {
    project_id,
    name,
    scorer_refs: [`weave:///${project_id}/object/good:v0`],
    ...settings,
  })) as {
    id: string
  }
  const path = `/annotation_queues/${created.id}`
  await client.postJson(`${path}/items`, { project_id, call_ids: ids, display_fields: [] })
  const finish = async (annotation_state: string) => {
    const { item } = (await client.postJson(`${path}/next`, { project_id })) as { item: { id: string } }
    await client.postJson(`${path}/items/${item.id}/progress`, { project_id, annotation_state })
  }
  return { id: created.id, finish, complete: () => finish('completed') }
}

test('progress moves while another client reviews, and a queue is edited, archived, deleted and restored', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const queue = await createQueue(client, projectId, 'Slow answers')
  await signIn('/queues')
  const row = page.getByRole('row', { name: /Slow answers/ })
  await expect(row).toContainText('0 of 3')
  await expect(row.getByRole('checkbox', { name: 'Select Slow answers' })).toBeAttached()
  await queue.complete()
  await expect(row).toContainText('1 of 3')
  await expect(row).toContainText('1 a day, done by 20')
  await expect(row.getByRole('link', { name: /^Review Slow answers/ })).toHaveAttribute(
    'href',
    new RegExp(`^/queues/${queue.id}/review`),
  )

  await row.getByRole('link', { name: 'Slow answers', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Slow answers' })).toBeFocused()
  const items = page.getByRole('table', { name: 'Items' }).locator('tbody').getByRole('row')
  await expect(items.nth(0)).toContainText('Completed')
  await expect(items.nth(1)).toContainText('0 of 1')
  await queue.complete()
  await expect(items.nth(1)).toContainText('1 of 1')
  await expect(page.getByRole('definition').first()).toHaveText('2 of 3 items')
  // Also with a pace all that is said of the queue stands on one line.
  const tops = await page.locator('main dl dt').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
  expect([tops.length, new Set(tops).size]).toEqual([5, 1])
  await expect(items.nth(2).getByRole('link')).toHaveAttribute('href', /^\/threads\/chat%2F7\?turn=/)

  // As at 200 % zoom: what is above the rows leaves them no room, so the page scrolls.
  await page.setViewportSize({ width: 640, height: 450 })
  await page.mouse.move(320, 225)
  await page.mouse.wheel(0, 1000)
  await expect(items.nth(2).getByText('Not started')).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit queue' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await dialog.getByLabel('Name', { exact: true }).fill('Bills \u202Egnp.exe')
  await expect(dialog).toContainText(String.raw`It has invisible characters and is shown as Bills \u202Egnp.exe`)
  await dialog.getByLabel('Name', { exact: true }).fill('Slower answers')
  await dialog.getByRole('radio', { name: '2' }).check()
  await dialog.getByRole('combobox').fill('kim')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Each item needs 2 different people, but only 1 are assigned')
  await dialog.getByRole('combobox').fill('lee,')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Slower answers' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'kim, lee' })).toBeVisible()

  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('button', { name: 'Unarchive' })).toBeVisible()
  await page.getByRole('link', { name: 'All queues' }).click()
  await page.getByRole('button', { name: 'Archived' }).click()
  await page.getByRole('link', { name: 'Slower answers', exact: true }).click()
  await page.getByRole('button', { name: 'Unarchive' }).click()
  await expect(page.getByRole('button', { name: 'Archive', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/queues(\?|$)/)
  await expect(page.getByText('Slower answers is deleted.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Slower answers/ })).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: /Slower answers/ })).toContainText('kim, lee')
})

test('a queue is not read any more while the answer to its removal is under way', async ({
  page,
  client,
  projectId,
  service,
}) => {
  await createQueue(client, projectId, 'Slow answers')
  // Longer than the pause between two refreshes.
  const proxy = await FaultProxy.start(service.url, ({ method }) => (method === 'DELETE' ? { delayMs: 4000 } : {}))
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/queues`)
  await page.getByRole('link', { name: 'Slow answers', exact: true }).click()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Slow answers is deleted.')).toBeVisible()
  await expect(page).toHaveURL(/\/queues(\?|$)/)
  proxy.close()
})

test('narrow windows show whole names, the reviews done, and rows on the first screen', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const settings = { reviews_per_item: 2, description: 'Turns over the p99 of their day.' }
  const queue = await createQueue(client, projectId, 'Slow answers of the week', 3, settings)
  await queue.complete()
  const isWhole = (element: Element) =>
    [...element.querySelectorAll('*'), element].every((part) => part.scrollWidth <= part.clientWidth + 1)
  for (const width of [640, 768]) {
    await page.setViewportSize({ width, height: 450 })
    await (width === 640 ? signIn('/queues') : page.goto('/queues'))
    const row = page.getByRole('row', { name: /Slow answers/ })
    await expect(row).toContainText('1 of 6 reviews')
    const link = row.getByRole('link', { name: 'Slow answers of the week', exact: true })
    expect(await link.evaluate(isWhole), `${width}`).toBe(true)
    await link.click()
    const item = page.getByRole('table', { name: 'Items' }).getByRole('rowheader').first()
    await expect(item).toContainText('support_bot.answer')
    await expect(page.getByRole('link', { name: 'Review 2' })).toBeVisible()
    expect(await item.evaluate((cell) => cell.clientWidth)).toBeGreaterThan(175)
    // In a low window nothing is pushed over what is below.
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    const actions = await page.getByRole('button', { name: 'Add items' }).boundingBox()
    const description = await page.getByText('Turns over the p99').boundingBox()
    expect(title && description && title.y + title.height).toBeLessThanOrEqual(description?.y ?? 0)
    expect(actions && actions.y + actions.height).toBeLessThanOrEqual(description?.y ?? 0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  // All that is said of the queue stands on one line.
  const labels = page.locator('main dl dt')
  expect(new Set(await labels.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))).size).toBe(1)
  await page.goto('/queues')
  await expect(page.getByRole('columnheader', { name: /Created/ })).toBeInViewport({ ratio: 1 })
  await page.goBack()
  await page.setViewportSize({ width: 320, height: 640 })
  const items = page.getByRole('table', { name: 'Items' }).locator('tbody').getByRole('row')
  await expect(items.first()).toBeInViewport()
  await expect(page.getByRole('definition').filter({ hasText: '1 of 6 reviews' })).toBeVisible()
  await expect(page.getByText('Reviews per item')).toBeHidden()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(page.getByText('Reviews per item')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit queue' })).toBeVisible()
})

test('a queue without a scorer is not called ready for review: it leads to its scorers', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await createQueue(client, projectId, 'No questions yet', 2, { scorer_refs: [] })
  await signIn('/queues')
  const row = page.getByRole('row', { name: /No questions yet/ })
  await expect(row.getByRole('link', { name: 'Add scorers to No questions yet' })).toBeVisible()
  await expect(row.getByRole('link', { name: /^Review/ })).toHaveCount(0)
  await row.getByRole('link', { name: 'No questions yet', exact: true }).click()
  await page.getByRole('link', { name: 'Add scorers' }).click()
  await expect(page.getByText('reviewers have nothing to answer')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Review/ })).toHaveCount(0)
})

test('an item that somebody skipped says so, and is not found as reviewed by them', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const queue = await createQueue(client, projectId, 'Slow answers')
  await queue.finish('completed')
  await queue.finish('skipped')
  await signIn(`/queues/${queue.id}`)
  const items = page.getByRole('table', { name: 'Items' }).locator('tbody').getByRole('row')
  await expect(items.nth(1)).toContainText(`${client.username} skipped`)
  await page.getByRole('searchbox', { name: 'Reviewed by' }).fill(client.username)
  await expect(items).toHaveCount(1)
  await expect(items.first()).not.toContainText('skipped')
})

test('a queue of another project is not found', async ({ page, client, projectId, signIn, expectedConsoleErrors }) => {
  const queue = await createQueue(client, `${projectId}-other`, 'Theirs', 1)
  expectedConsoleErrors.push('404')
  await signIn(`/queues/${queue.id}`)
  await expect(page.getByRole('main')).toContainText('This project has no such queue.')
  await expect(page.getByRole('main')).not.toContainText('Theirs')
  await expect(page.getByRole('main').getByRole('code')).toHaveCSS('display', 'block')
})
