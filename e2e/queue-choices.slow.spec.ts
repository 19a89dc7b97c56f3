import type { Locator } from 'playwright/test'
import { findViolations } from './find-violations'
import { expect, test } from './fixtures'
import { createReviewQueue, readAnswers } from './review-queue'

const count = 3000
const intents = Array.from({ length: count }, (_, index) => `intent ${String(index).padStart(4, '0')}`).with(2417, 'refund twice')
const longestTaskMs = 100

async function listShown(list: Locator): Promise<string[]> {
  const texts = await list.getByRole('option').allTextContents()
  return texts.map((text) => text.trim())
}

test('among thousands of choices people find theirs by typing, and no key waits', async ({
  page,
  client,
  projectId,
  signIn,
  measureLongestTask,
}) => {
  const schemas = {
    Intent: { type: 'string', enum: intents },
    Topics: { type: 'array', items: { type: 'string', enum: intents }, minItems: 1 },
  }
  const { queueId, callIds } = await createReviewQueue(client, projectId, { schemas, count: 3 })
  await signIn(`/queues/${queueId}`)
  const { keyboard } = page
  const answers = page.getByRole('region', { name: 'Your answers' })
  const call = page.getByRole('region', { name: 'Call to review' })
  const intent = answers.getByRole('group', { name: 'Intent' })
  const topics = answers.getByRole('group', { name: 'Topics' })

  const opening = await measureLongestTask(async () => {
    await page.getByRole('link', { name: 'Review' }).press('Enter')
    await expect(intent).toBeFocused()
  })
  expect(opening).toBeLessThan(longestTaskMs)
  expect(await intent.getByRole('option').count()).toBeLessThan(30)
  expect(await findViolations(page)).toEqual([])

  const choosing = await measureLongestTask(async () => {
    // The nine that are shown first have the keys 1 to 9; what is typed decides which these are.
    await keyboard.press('3')
    await expect(intent.getByRole('option', { selected: true })).toHaveText(/intent 0002/)
    await intent.getByRole('combobox').focus()
    await keyboard.type('refund')
    await expect(intent.getByRole('option')).toHaveCount(1)
    await keyboard.press('Enter')
    await expect(intent.getByText('refund twice').first()).toBeVisible()
    await keyboard.press('Enter')
    await expect(topics.getByRole('combobox')).toBeFocused()
    await keyboard.type('29')
    await keyboard.press('Escape')
    await expect(topics).toBeFocused()
    const shown = await listShown(topics)
    await keyboard.press('2')
    expect(shown[1]).toContain('intent 0129')
    await keyboard.press('9')
    expect(shown[8]).toContain('intent 0295')
    await expect(topics.getByRole('list', { name: 'Chosen' }).getByRole('listitem')).toHaveText(['intent 0129', 'intent 0295'])
  })
  expect(choosing).toBeLessThan(longestTaskMs)
  expect(await findViolations(page)).toEqual([])

  const next = await measureLongestTask(async () => {
    await keyboard.press('Control+Enter')
    await expect(call.getByText('Answer 2: it arrives')).toBeVisible()
    await expect(intent).toBeFocused()
  })
  expect(next).toBeLessThan(longestTaskMs)

  // The end of the list is one key away, and what was found is forgotten with the next item.
  await expect(topics.getByRole('combobox')).toHaveValue('')
  await keyboard.press('Enter')
  await keyboard.press('ArrowUp')
  await expect(intent.getByRole('option', { name: 'intent 2999' })).toBeVisible()
  await keyboard.press('Enter')
  await keyboard.press('Control+Enter')
  await expect(answers.getByText('Choose at least one.')).toBeVisible()
  await expect(topics).toBeFocused()
  await keyboard.press('1')
  await keyboard.press('Control+Enter')
  await expect(call.getByText('Answer 3: it arrives')).toBeVisible()

  const stored = await readAnswers(client, projectId, queueId)
  expect(
    stored.map(({ call_id, scorer, value }) => `${callIds.indexOf(call_id) + 1} ${scorer} ${JSON.stringify(value)}`).toSorted(),
  ).toEqual([
    '1 Intent "refund twice"',
    '1 Topics ["intent 0129","intent 0295"]',
    '2 Intent "intent 2999"',
    '2 Topics ["intent 0000"]',
  ])
})
