import { expect, test } from './fixtures'
import type { SpoolClient } from './spool-client'

/** A queue with finished turns of one thread, and what another client does with it. */
async function createQueue(client: SpoolClient, project_id: string, name: string, itemCount = 3) {
  const now = Date.now()
  const ids = Array.from({ length: itemCount }, (_, index) => (now + index).toString(16).padStart(16, '0'))
  const batch = ids.flatMap((id, index) => {
    const at = new Date(now - 60_000 + index * 1000).toISOString()
    const start = { project_id, id, trace_id: id + id, op_name: 'answer', started_at: at, attributes: {}, inputs: {} }
    return [
      { mode: 'start', req: { start: { ...start, thread_id: 'chat/7', turn_id: id } } },
      { mode: 'end', req: { end: { project_id, id, ended_at: at, summary: {}, output: 'x' } } },
    ]
  })
  await client.postJson('/call/upsert_batch', { batch })
  const created = (await client.postJson('/annotation_queues', { project_id, name, scorer_refs: [] })) as { id: string }
  const path = `/annotation_queues/${created.id}`
  await client.postJson(`${path}/items`, { project_id, call_ids: ids, display_fields: [] })
  const complete = async () => {
    const { item } = (await client.postJson(`${path}/next`, { project_id })) as { item: { id: string } }
    await client.postJson(`${path}/items/${item.id}/progress`, { project_id, annotation_state: 'completed' })
  }
  return { id: created.id, complete }
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
  await queue.complete()
  await expect(row).toContainText('1 of 3')
  await expect(row).toContainText('1 a day, done')
  await expect(row.getByRole('link', { name: /^Review Slow answers/ })).toHaveAttribute(
    'href',
    new RegExp(`^/queues/${queue.id}/review`),
  )

  await row.getByRole('link', { name: 'Slow answers', exact: true }).click()
  const items = page.getByRole('table', { name: 'Items' }).locator('tbody').getByRole('row')
  await expect(items.nth(0)).toContainText('Completed')
  await expect(items.nth(1)).toContainText('0 of 1')
  await queue.complete()
  await expect(items.nth(1)).toContainText('1 of 1')
  await expect(page.getByRole('definition').first()).toHaveText('2 of 3')
  await expect(items.nth(2).getByRole('link')).toHaveAttribute('href', /^\/threads\/chat%2F7\?turn=/)

  // As at 200 % zoom: what is above the rows leaves them no room, so the page scrolls.
  await page.setViewportSize({ width: 640, height: 450 })
  await page.mouse.move(320, 225)
  await page.mouse.wheel(0, 1000)
  await expect(items.nth(2).getByText('Not started')).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit queue' })
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

test('a queue of another project is not found', async ({ page, client, projectId, signIn, expectedConsoleErrors }) => {
  const queue = await createQueue(client, `${projectId}-other`, 'Theirs', 1)
  expectedConsoleErrors.push('404')
  await signIn(`/queues/${queue.id}`)
  await expect(page.getByRole('main')).toContainText('This project has no such queue.')
  await expect(page.getByRole('main')).not.toContainText('Theirs')
})
