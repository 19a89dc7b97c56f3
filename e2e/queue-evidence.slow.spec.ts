import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killService } from './bench/service-process'
import { expect as expectSoon, password, signInByForm, test, username } from './fixtures'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'
import { writeTurns } from './turns'

const projectId = 'acme/support'
const turnCount = 12_000
const expect = expectSoon.configure({ timeout: 90_000 })

test.use({ expectedConsoleErrors: ['net::ERR_', 'Failed to load resource'] })

test('12,000 calls are in a queue once each, although the service is killed and the page reloaded on the way', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const folder = mkdtempSync(join(tmpdir(), 'spool-e2e-'))
  const environment = { SPOOL_USERNAME: username, SPOOL_PASSWORD: password, SPOOL_DATA: folder }
  let service = await SpoolService.start(environment)
  const { url } = service
  const client = new SpoolClient(url, username, password)
  const seeds = Array.from({ length: turnCount }, (_, index) => ({
    threadId: `thread-${index % 100}`,
    startedAt: Date.UTC(2026, 0, 1) + index * 1000,
    durationMs: 100,
  }))
  const ids = await writeTurns(client, projectId, seeds)
  await page.goto(`${url}/connection`)
  await signInByForm(page, projectId)

  // A piece is on its way when the service is killed: what of it is stored, only the service knows.
  let pieceCount = 0
  const killed = new Promise<void>((resolve) => {
    page.on('request', (request) => {
      if (!request.url().endsWith('/items') || request.method() !== 'POST') return
      pieceCount += 1
      if (pieceCount === 3) void killService(service).then(() => resolve())
    })
  })
  await page.goto(`${url}/threads`)
  await page.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByText('All of them').click()
  await expect(page.getByText('12,000 turns of 100 threads.')).toBeVisible()
  await expect(page.getByText('Sent in 6 pieces. You can stop in between.')).toBeVisible()
  await page.getByLabel('Name').fill('Everything')
  await page.getByRole('button', { name: 'Add 12,000 calls' }).click()
  await killed
  await expect(page.getByText(/Waiting for the server\. [46],000 of 12,000 calls sent to Everything/)).toBeVisible()

  // Slow enough for a person to stop it.
  await page.route('**/items', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await route.continue()
  })
  service = await SpoolService.start({ ...environment, SPOOL_PORT: new URL(url).port })
  await expect(page.getByText(/^(?:6|8|10),000 of 12,000 calls sent/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Adding is not finished' }).click()
  await expect(page.getByText(/of 12,000 are not in Everything yet/)).toBeVisible()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText('12,000 added.')).toBeVisible()

  const queues = await client.postLines('/annotation_queues/query', { project_id: projectId })
  expect(queues).toHaveLength(1)
  const queueId = String(queues[0]?.['id'])
  const { items } = (await client.postJson(`/annotation_queues/${queueId}/items/query`, { project_id: projectId })) as {
    items: { call_id: string }[]
  }
  expect(items.map(({ call_id: id }) => id).toSorted()).toEqual(ids.toSorted())
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
