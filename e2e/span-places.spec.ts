import { expect, test } from './fixtures'
import { createReviewQueue } from './review-queue'
import type { SpoolClient } from './spool-client'

const attribute = (key: string, text: string) => ({ key, value: { stringValue: text } })

/** A turn of a conversation, and a tool below it, which does not repeat the conversation. */
const spans = [
  {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'answer a customer',
    kind: 1,
    startTimeUnixNano: '1767603600000000000',
    endTimeUnixNano: '1767603602000000000',
    attributes: [attribute('gen_ai.operation.name', 'invoke_agent'), attribute('gen_ai.conversation.id', 'ticket-9')],
  },
  {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: '00f067aa0ba902b7',
    parentSpanId: 'b7ad6b7169203331',
    name: 'look up the parcel',
    kind: 1,
    startTimeUnixNano: '1767603600500000000',
    endTimeUnixNano: '1767603601000000000',
    attributes: [attribute('gen_ai.operation.name', 'execute_tool'), attribute('gen_ai.tool.name', 'parcel')],
  },
]

async function send(client: SpoolClient, projectId: string, some: readonly object[]): Promise<void> {
  const otlp = { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: 'shop' }, spans: some }] }] }
  expect((await client.post('/otel/v1/traces', otlp, { project_id: projectId })).status).toBe(200)
}

const [turn, tool] = spans.map(({ spanId }) => spanId)

test('a span that names no thread is found in the thread of its turn', async ({ page, client, projectId, signIn }) => {
  await send(client, projectId, spans)
  const [read] = await client.postLines('/calls/stream_query', { project_id: projectId, filter: { call_ids: [tool] } })
  expect(read).toMatchObject({ thread_id: null, turn_id: turn })
  const address = new RegExp(`/threads/ticket-9\\?turn=${turn}&call=${tool}`)

  await signIn(`/${projectId}/r/call/${tool}`)
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('heading', { level: 1, name: 'ticket-9' })).toBeVisible()

  const items = { project_id: projectId, call_ids: [tool], display_fields: [] }
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Helpful: { type: 'boolean' } }, count: 0 })
  await client.postJson(`/annotation_queues/${queueId}/items`, items)
  await page.goto(`/queues/${queueId}`)
  const item = page.getByRole('table', { name: 'Items' }).getByRole('row').nth(1)
  await expect(item).toContainText('ticket-9')
  await expect(item.locator('a').first()).toHaveAttribute('href', address)

  await page.goto(`/queues/${queueId}/review`)
  const around = page.getByRole('region', { name: 'Call to review' }).getByRole('list', { name: 'Turns around' })
  await around.getByText('has the call under review').click()
  await expect(around.locator('[aria-current]')).toContainText('answer a customer')
  const link = page.getByRole('link', { name: /^Open the thread/ })
  await expect(link).toHaveAttribute('href', address)
})

test('a turn that comes after a span below it is found when the items of a queue are read again', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const [ofTurn, ofTool] = spans
  await send(client, projectId, [ofTool ?? {}])
  const items = { project_id: projectId, call_ids: [tool], display_fields: [] }
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Helpful: { type: 'boolean' } }, count: 0 })
  await client.postJson(`/annotation_queues/${queueId}/items`, items)
  await signIn(`/queues/${queueId}`)
  // The first cell has the box that selects the row; the name of the call is a header.
  const thread = page.getByRole('table', { name: 'Items' }).getByRole('row').nth(1).getByRole('cell').nth(1)
  await expect(thread).toHaveText('—')
  // The turn comes while the places are read once more.
  let show = () => {}
  const isShown = new Promise<void>((resolve) => (show = resolve))
  const isRead = new Promise<void>((resolve) => {
    void page.route(
      '**/calls/stream_query',
      async (route) => {
        const response = await route.fetch()
        resolve()
        await isShown
        await route.fulfill({ response })
      },
      { times: 1 },
    )
  })
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true })
  await refresh.click()
  await isRead
  await send(client, projectId, [ofTurn ?? {}])
  await refresh.click()
  show()
  await expect(thread).toHaveText('ticket-9')
})
