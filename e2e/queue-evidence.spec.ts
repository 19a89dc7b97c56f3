import { findViolations } from './find-violations'
import { expect, test } from './fixtures'
import type { SpoolClient } from './spool-client'
import { tabTo } from './tab-to'
import { oneTurnThreads, writeTurns } from './turns'

const start = Date.UTC(2026, 0, 1)

async function readItems(client: SpoolClient, projectId: string, queueId: string): Promise<string[]> {
  const body = (await client.postJson(`/annotation_queues/${queueId}/items/query`, { project_id: projectId })) as {
    items: { call_id: string }[]
  }
  return body.items.map(({ call_id: id }) => id)
}

async function readQueueId(client: SpoolClient, projectId: string, name: string): Promise<string> {
  const queues = await client.postLines('/annotation_queues/query', { project_id: projectId, name })
  return String(queues[0]?.['id'])
}

test('a sample of slow threads becomes a queue by keyboard alone, and again adds nothing twice', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  // Those from the 101st on last longer than 100 ms.
  const ids = await writeTurns(client, projectId, oneTurnThreads(160, start))
  const scorer = `weave:///${projectId}/scorer/Tone:v1`
  await client.postJson('/annotation_queues', { project_id: projectId, name: 'Before', scorer_refs: [scorer] })
  await signIn('/threads?p99=101')
  await expect(page.getByRole('table', { name: 'Threads' }).getByRole('row').nth(1)).toBeVisible()
  await tabTo(page, 'Add to queue', 'button')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Seed', 'textbox')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('42')
  await expect(page.getByText('60 turns of 60 threads; the sample has 30.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Threads slower than 101 ms, 30 sampled, seed 42')
  await expect(page.getByRole('checkbox', { name: /Tone v1/ })).toBeChecked()
  await tabTo(page, 'Add 30 calls', 'button')
  await page.keyboard.press('Enter')
  await expect(page.getByText('30 added.')).toBeVisible()
  const queueId = await readQueueId(client, projectId, 'Threads slower')
  const first = await readItems(client, projectId, queueId)
  const filter = { min_p99_ms: 101 }
  const { turn_ids: sampled } = (await client.postJson('/threads/sample', {
    project_id: projectId,
    filter,
    sample: { size: 30, seed: '42' },
  })) as { turn_ids: string[] }
  expect(first).toEqual(sampled)
  expect(first.every((id) => ids.indexOf(id) >= 100)).toBe(true)
  await tabTo(page, 'Open the queue', 'link')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(queueId))

  // Ten of the threads that are chosen by hand are new to the queue.
  await page.goBack()
  const rows = page.getByRole('table', { name: 'Threads' }).getByRole('row')
  await page.goto('/threads?sort=start_time:asc')
  await rows.nth(1).getByRole('checkbox').check()
  await rows
    .nth(10)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Next page' }).click()
  const footer = page.getByRole('navigation', { name: 'Pages of the table' })
  await expect(footer.getByText('10 selected')).toBeVisible()
  // Both buttons of the name begin with the rows that are selected.
  await page.getByRole('main').getByRole('button', { name: 'Add to queue' }).first().click()
  await expect(page.getByRole('radio', { name: '10 selected' })).toBeChecked()
  await page.keyboard.press('Escape')
  await footer.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByText('All that match').click()
  await page.getByRole('radio', { name: 'An existing queue' }).check()
  await page.getByRole('radio', { name: /^Threads slower/ }).check()
  await page.getByRole('button', { name: 'Add 160 calls' }).click()
  await expect(page.getByText('130 added, 30 were in the queue already.')).toBeVisible()
  expect(await readItems(client, projectId, queueId)).toHaveLength(160)
})

test('a queue that turns are chosen for is the one they are added to, until they are', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, start))
  // The dialog lists the latest 20 queues, and the first of these is none of them.
  for (let index = 0; index < 21; index += 1) {
    await client.postJson('/annotation_queues', { project_id: projectId, name: `Queue ${index}`, scorer_refs: [] })
  }
  const first = await readQueueId(client, projectId, 'Queue 0')
  await signIn(`/queues/${first}`)
  await expect(page).toHaveTitle('Queue 0 · Queue · Spool')
  await page.getByRole('main').getByRole('link', { name: 'Threads' }).click()
  const open = () => page.getByRole('button', { name: 'Add to queue' }).click()
  await open()
  await expect(page.getByRole('radio', { name: /^Queue 0/ })).toBeChecked()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/queues/new')
  await page.getByLabel('Name').fill('Just made')
  await page.getByRole('textbox', { name: 'Scorer references' }).fill(`weave:///${projectId}/scorer/Tone:v1`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create queue' }).click()
  await page.getByRole('link', { name: 'Add turns' }).click()
  await open()
  await expect(page.getByRole('radio', { name: 'An existing queue' })).toBeChecked()
  await expect(page.getByRole('radio', { name: /^Just made/ })).toBeChecked()
  await page.getByRole('button', { name: 'Add 3 calls' }).click()
  await expect(page.getByText('3 added.')).toBeVisible()
  expect(await readItems(client, projectId, await readQueueId(client, projectId, 'Just made'))).toHaveLength(3)
  await page.getByRole('button', { name: 'Close' }).last().click()
  await open()
  await expect(page.getByRole('radio', { name: 'A new queue' })).toBeChecked()
})

test('turns and calls of threads become items, and so do the ids in a file', async ({ page, client, projectId, signIn }) => {
  const turns = Array.from({ length: 4 }, (_, index) => ({
    threadId: 'chat',
    startedAt: start + index * 60_000,
    durationMs: 1000 + index,
  }))
  const ids = await writeTurns(client, projectId, turns)
  const { id: queueId } = (await client.postJson('/annotation_queues', {
    project_id: projectId,
    name: 'By hand',
    scorer_refs: [],
  })) as { id: string }
  await signIn('/threads/chat')
  await page.getByRole('button', { name: /^Turn 1/ }).focus()
  await page.keyboard.press(' ')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ ')
  const bar = page.getByRole('region', { name: 'Selected turns and calls' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Compare' }).click()
  await expect(page.getByRole('heading', { name: 'Turn 2 compared with turn 1' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.goBack()
  await page.getByRole('button', { name: /^Turn 3/ }).click()
  await page.getByRole('treegrid').focus()
  await page.keyboard.press(' ')
  await expect(page.getByRole('checkbox', { name: 'Select answer' })).toBeChecked()
  await expect(bar).toContainText('3 selected')
  await expect(bar.getByRole('button', { name: 'Compare' })).toBeHidden()
  expect(await findViolations(page)).toEqual([])
  await bar.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByRole('radio', { name: 'An existing queue' }).check()
  await page.getByRole('radio', { name: /^By hand/ }).check()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add 3 calls' }).click()
  await expect(page.getByText('3 added.')).toBeVisible()
  expect(await readItems(client, projectId, queueId)).toEqual(ids.slice(0, 3))
  await page.getByRole('link', { name: 'Open the queue' }).click()

  await page.getByRole('button', { name: 'Add items' }).click()
  const unknown = '00000000000000ff'
  const csv = `score,call_id\n1,${ids[3]}\n2,${ids[0]}\n3,not an id\n4,${unknown}\n`
  await page.getByLabel('File of call ids').setInputFiles({ name: 'calls.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(page.getByRole('list', { name: 'Lines that are left out' })).toContainText('Line 4: not an id')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add 3 calls' }).click()
  await expect(page.getByText('1 added, 1 was in the queue already, 1 is not a call of this project.')).toBeVisible()
  await expect(page.getByText(unknown)).toBeVisible()
})

test('a long list of ids that is pasted is read without being shown', async ({ page, context, client, projectId, signIn }) => {
  const { id: queueId } = (await client.postJson('/annotation_queues', {
    project_id: projectId,
    name: 'By hand',
    scorer_refs: [],
  })) as { id: string }
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(`/queues/${queueId}`)
  await page.getByRole('button', { name: 'Add items' }).click()
  const field = page.getByRole('textbox', { name: 'Call ids' })
  await field.fill('ffffffffffffffff\n')
  await page.evaluate(async (count) => {
    const ids = Array.from({ length: count }, (_, index) => index.toString(16).padStart(16, '0'))
    await navigator.clipboard.writeText(ids.join('\n'))
  }, 40_000)
  await field.press('Control+v')
  await expect(page.getByText('Pasted text')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add 40,001 calls' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
})
