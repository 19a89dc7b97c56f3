import type { Page } from 'playwright/test'
import { beSlow } from './be-slow'
import { expect, signInByForm, test } from './fixtures'
import { FaultProxy } from './fault-proxy'
import type { SpoolClient } from './spool-client'

const ref = (name: string) => `weave:///acme/support/scorer/${name}:v1`

async function paste(page: Page, text: string) {
  await page.getByRole('textbox', { name: /Scorer references/ }).evaluate((field, pasted) => {
    const data = new DataTransfer()
    data.setData('text', pasted)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
}

async function listQueues(client: SpoolClient, project_id: string) {
  return client.postLines('/annotation_queues/query', { project_id })
}

test('no letter of a filter is lost where answers are late', async ({ page, client, projectId, signIn }) => {
  for (const queue of ['Slow answers', 'Refunds']) {
    await client.postJson('/annotation_queues', { project_id: projectId, name: queue, scorer_refs: [] })
  }
  await signIn('/queues')
  await expect(page.getByRole('link', { name: 'Refunds' })).toBeVisible()
  await beSlow(page)
  const filter = page.getByRole('searchbox', { name: 'Filter by name' })
  await filter.focus()
  await page.keyboard.type('slow answers')
  await expect(filter).toHaveValue('slow answers')
  await expect(page.getByRole('link', { name: 'Refunds' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Slow answers' })).toBeVisible()
})

test('three of fifty pasted references are malformed: each says why, and removing them keeps the rest', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const good = Array.from({ length: 47 }, (_, index) => ref(`Scorer${index}`))
  await signIn('/queues/new')
  await page.getByLabel('Name').fill('Fifty')
  await paste(
    page,
    [...good.slice(0, 20), 'not a ref', ...good.slice(20), 'weave:///acme/support/op/x:1', 'weave:///acme/scorer/x:1'].join('\n'),
  )
  await expect(page.getByRole('status', { name: 'References' })).toHaveText(/47.*3 malformed/)
  await page.getByRole('button', { name: 'Create queue' }).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveCount(3)
  expect(await listQueues(client, projectId)).toEqual([])
  await page.getByRole('button', { name: 'Remove all malformed' }).press('Enter')
  // The focus goes to what followed the first one.
  await expect(page.locator('#queue-ref-20')).toBeFocused()
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
  const [queue] = await listQueues(client, projectId)
  expect(queue).toMatchObject({ name: 'Fifty', scorer_refs: good })
})

test('a double click creates one queue', async ({ page, client, projectId, signIn }) => {
  await signIn('/queues/new')
  await page.getByLabel('Name').fill('Once')
  await paste(page, ref('A'))
  await page.getByRole('button', { name: 'Create queue' }).dblclick()
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
  // It has no calls yet.
  await expect(page.getByRole('link', { name: 'Review', exact: true })).toHaveCount(0)
  expect(await listQueues(client, projectId)).toHaveLength(1)
})

test('after a lost response a retry returns the queue that was created', async ({
  page,
  client,
  projectId,
  service,
  expectedConsoleErrors,
}) => {
  let isDropping = true
  const proxy = await FaultProxy.start(service.url, ({ url, method }) => ({
    dropsResponse: isDropping && method === 'POST' && url === '/annotation_queues',
  }))
  expectedConsoleErrors.push('ERR_EMPTY_RESPONSE')
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await expect(page.getByRole('table')).toBeVisible()
  await page.goto(`${proxy.url}/queues/new`)
  await page.getByLabel('Name').fill('Lost')
  await paste(page, ref('A'))
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Lost')
  isDropping = false
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
  expect(await listQueues(client, projectId)).toHaveLength(1)
  proxy.close()
})

test('the draft survives a reload, with its references', async ({ page, signIn }) => {
  await signIn('/queues/new')
  await page.getByLabel('Name').fill('Kept')
  await page.getByLabel('Description').fill('Über alles')
  await paste(page, `${ref('A')}, ${ref('B')}`)
  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue('Kept')
  await expect(page.getByLabel('Description')).toHaveValue('Über alles')
  await expect(page.getByRole('status', { name: 'References' })).toContainText('2')
})

test('an empty form lists its errors, and each error links to its field', async ({ page, signIn }) => {
  await signIn('/queues/new')
  await page.getByRole('button', { name: 'Create queue' }).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await summary.getByRole('link', { name: /Name/ }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
})

test('a queue is listed and opens with its references', async ({ page, client, projectId, signIn }) => {
  await client.postJson('/annotation_queues', {
    project_id: projectId,
    name: 'Listed',
    scorer_refs: [ref('Tone')],
    description: 'Why',
  })
  await signIn('/queues')
  await page.getByRole('link', { name: 'Listed' }).click()
  await expect(page).toHaveURL(/\/queues\/[0-9a-f-]{36}/)
  await expect(page.getByRole('main')).toContainText('Why')
  await page.getByText('Scorers', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Scorers' })).toContainText('Tone')
})

test('the preview shows the request exactly as it is sent, without the password', async ({ page, projectId, signIn }) => {
  await signIn('/queues/new')
  await page.getByLabel('Name').fill("O'Hara")
  await paste(page, ref('A'))
  const sent = page.getByText(/"scorer_refs": \[/)
  await expect(sent).toContainText(`"project_id": "${projectId}"`)
  await expect(page.getByRole('main')).not.toContainText('correct horse battery staple')
  const request = page.waitForRequest(
    (candidate) => candidate.method() === 'POST' && candidate.url().endsWith('/annotation_queues'),
  )
  const shown: unknown = JSON.parse((await sent.textContent()) ?? '')
  await page.getByRole('button', { name: 'Create queue' }).click()
  expect((await request).postDataJSON()).toEqual(shown)
})
