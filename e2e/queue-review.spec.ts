import { findViolations } from './find-violations'
import { expect, test } from './fixtures'
import { createReviewQueue, readAnswers } from './review-queue'

test('three items are reviewed, one is undone and one skipped, by the keyboard alone', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const schemas = {
    Helpful: { type: 'boolean' },
    Tone: { type: 'string', enum: ['kind', 'neutral', 'rude'] },
    Share: { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.1 },
    Note: { type: 'string' },
  }
  const { queueId, callIds } = await createReviewQueue(client, projectId, { schemas, count: 5 })
  await signIn(`/queues/${queueId}/review`)
  const { keyboard } = page
  const answers = page.getByRole('region', { name: 'Your answers' })
  const helpful = answers.getByRole('radiogroup', { name: 'Helpful' })
  const call = page.getByRole('region', { name: 'Call to review' })
  await expect(helpful).toBeFocused()
  await expect(helpful).toHaveCSS('outline-style', 'solid')
  await expect(helpful).toContainText('v0')
  await expect(call.getByText('Answer 1: it arrives')).toBeVisible()
  await expect(call.getByRole('list', { name: 'Turns around' }).locator('[aria-current]')).toContainText('under review')
  expect(await findViolations(page)).toEqual([])

  // An answer that is missing is refused in place.
  await keyboard.press('y')
  await keyboard.press('Control+Enter')
  await expect(answers.getByRole('radiogroup', { name: 'Tone' })).toBeFocused()
  await expect(answers.getByText('Choose one.')).toBeVisible()
  await keyboard.press('3')
  await expect(answers.getByRole('radio', { name: 'rude' })).toBeChecked()
  await keyboard.press('Enter')
  await keyboard.type('0.3')
  await keyboard.press('Enter')
  await keyboard.type('s u ? are letters')
  await keyboard.press('Control+Enter')

  // The second item, then back to the first, which gets another answer.
  await expect(call.getByText('Answer 2: it arrives')).toBeVisible()
  await expect(helpful).toBeFocused()
  await keyboard.press('u')
  await expect(answers.getByText('This item stays completed.', { exact: false })).toBeVisible()
  await expect(answers.getByRole('radio', { name: 'Yes' })).toBeChecked()
  await keyboard.press('n')
  await keyboard.press('Control+Enter')
  await expect(call.getByText('Answer 2: it arrives')).toBeVisible()

  // A skip can be taken back.
  await keyboard.press('s')
  await expect(call.getByText('Answer 3: it arrives')).toBeVisible()
  await keyboard.press('u')
  await expect(call.getByText('Answer 2: it arrives')).toBeVisible()
  await keyboard.press('s')
  for (const number of [3, 4]) {
    await expect(call.getByText(`Answer ${number}: it arrives`)).toBeVisible()
    await expect(helpful).toBeFocused()
    await keyboard.press('y')
    await keyboard.press('ArrowDown')
    await keyboard.press('1')
    await keyboard.press('ArrowDown')
    await keyboard.type('1')
    await keyboard.press('Control+Enter')
  }
  await expect(call.getByText('Answer 5: it arrives')).toBeVisible()
  await keyboard.press('s')
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
  await expect(page.getByText('5 of 5 items are done.', { exact: false })).toBeVisible()
  const stored = await readAnswers(client, projectId, queueId)
  const toText = ({ call_id, scorer, value }: (typeof stored)[number]) =>
    `${callIds.indexOf(call_id) + 1} ${scorer} ${JSON.stringify(value)}`
  expect(stored.map(toText).toSorted()).toEqual([
    '1 Helpful false',
    '1 Note "s u ? are letters"',
    '1 Share 0.3',
    '1 Tone "rude"',
    '3 Helpful true',
    '3 Share 1',
    '3 Tone "kind"',
    '4 Helpful true',
    '4 Share 1',
    '4 Tone "kind"',
  ])
})

test('after Enter what is typed is a text, and a capital begins one where a field is chosen by arrows', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const schemas = {
    Correct: { type: 'boolean' },
    Tone: { type: 'string', enum: ['kind', 'neutral', 'rude'] },
    Comment: { type: 'string' },
    Confidence: { type: 'number' },
  }
  const { queueId } = await createReviewQueue(client, projectId, { schemas, count: 4 })
  await signIn(`/queues/${queueId}/review`)
  const { keyboard } = page
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await expect(page.getByRole('radiogroup', { name: 'Correct' })).toBeFocused()
  for (const key of ['y', 'Enter', '2', 'Enter']) await keyboard.press(key)
  await expect(comment).toBeFocused()
  await keyboard.type('This is slow')
  await expect(comment).toHaveValue('This is slow')
  await expect(page.getByRole('heading', { name: 'Item 1 of this visit' })).toBeVisible()
  await keyboard.press('Escape')
  await expect(page.getByRole('group', { name: 'Comment' })).toBeFocused()
  await comment.fill('')
  await keyboard.press('Escape')
  await keyboard.press('Shift+S')
  await keyboard.type('o are others')
  await expect(comment).toHaveValue('So are others')
  await keyboard.press('Escape')
  await keyboard.press('ArrowDown')
  await keyboard.press('7')
  await expect(page.getByRole('spinbutton', { name: 'Confidence' })).toHaveValue('7')
  await keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Item 2 of this visit' })).toBeVisible()
})

test('a comment may begin with the letter of a command, until Escape leaves it', async ({ page, client, projectId, signIn }) => {
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Comment: { type: 'string' } }, count: 4 })
  await signIn(`/queues/${queueId}/review`)
  const { keyboard } = page
  const comment = page.getByRole('textbox', { name: 'Comment' })
  const item = (number: number) => page.getByRole('heading', { name: `Item ${number} of this visit` })
  for (const [index, text] of ['such is life', 'useless', '- a list'].entries()) {
    await expect(item(index + 1)).toBeVisible()
    await expect(page.getByRole('group', { name: 'Comment' })).toBeFocused()
    await keyboard.type(text)
    await expect(comment).toHaveValue(text)
    await keyboard.press('Control+Enter')
  }
  await expect(item(4)).toBeVisible()
  await expect(page.getByText('leave the text')).toBeVisible()
  await keyboard.press('Escape')
  await keyboard.press('u')
  await expect(comment).toHaveValue('- a list')
})

test('skips are taken back one after the other, and an item that was skipped can be judged after all', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const { queueId, callIds } = await createReviewQueue(client, projectId, { schemas: { Good: { type: 'boolean' } }, count: 3 })
  await signIn(`/queues/${queueId}/review`)
  const { keyboard } = page
  const good = page.getByRole('radiogroup', { name: 'Good' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const item = (number: number) => page.getByRole('heading', { name: `Item ${number} of this visit` })
  await expect(good).toBeFocused()

  // What does nothing says so before and after it is pressed.
  for (const name of ['Undo', 'Previous item (←)']) await expect(button(name)).toHaveAttribute('aria-disabled', 'true')
  await expect(button('Undo')).toHaveAccessibleDescription('There is nothing to undo.')
  await expect(button('Next item (→)')).toHaveAttribute('aria-disabled', 'false')
  await expect(button('Next item (→)')).toHaveAttribute('title', 'Next item (→)')
  await keyboard.press('u')
  await expect(page.getByText('There is nothing to undo.').first()).toBeVisible()
  await keyboard.press('ArrowLeft')
  await expect(page.getByText('This is the first item that you opened.').first()).toBeVisible()

  for (const number of [1, 2]) {
    await expect(item(number)).toBeVisible()
    await expect(good).toBeFocused()
    await keyboard.press('s')
  }
  await expect(item(3)).toBeVisible()
  for (const number of [2, 1]) {
    await keyboard.press('u')
    await expect(item(number)).toBeVisible()
    await expect(page.getByText('The skip is taken back.').first()).toBeVisible()
    await expect(good).toBeFocused()
  }
  await keyboard.press('s')
  await expect(item(2)).toBeVisible()
  await keyboard.press('ArrowLeft')
  await expect(page.getByText('You skipped this item.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeDisabled()
  await button('Take the skip back').press('Enter')
  await expect(good).toBeFocused()
  for (const number of [1, 2, 3]) {
    await expect(item(number)).toBeVisible()
    await expect(good).toBeFocused()
    await keyboard.press('y')
    await keyboard.press('Control+Enter')
  }
  await expect(page.getByText('3 of 3 items are done.', { exact: false })).toBeVisible()
  expect((await readAnswers(client, projectId, queueId)).map(({ call_id: id }) => id)).toEqual(callIds)
})

test('a failure is said where the person is, and the focus stays', async ({
  page,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('net::ERR_FAILED')
  const names = Array.from({ length: 12 }, (_, index) => `Text-${index + 1}`)
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'string', 'x-optional': true }]))
  const { queueId } = await createReviewQueue(client, projectId, { schemas, count: 2 })
  await signIn(`/queues/${queueId}/review`)
  const last = page.getByRole('textbox', { name: 'Text-12' })
  await last.fill('fine')
  await page.route('**/feedback/batch/create', (route) => route.abort())
  await page.keyboard.press('Control+Enter')
  const alert = page.getByRole('alert').filter({ hasText: 'Not saved' })
  await expect(alert).toBeInViewport({ ratio: 1 })
  await expect(last).toBeFocused()
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 640 })
    await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0))
    await expect(alert).toBeInViewport({ ratio: 1 })
  }
  await page.unroute('**/feedback/batch/create')
  await expect(page.getByRole('heading', { name: 'Item 2 of this visit' })).toBeVisible()
})

test('a number without an answer shows and says so, until the slider is moved or pressed', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const schemas = {
    Correct: { type: 'boolean' },
    Confidence: { type: 'integer', minimum: 0, maximum: 100, 'x-optional': true },
  }
  const { queueId } = await createReviewQueue(client, projectId, { schemas, count: 1 })
  await signIn(`/queues/${queueId}/review`)
  const field = page.getByRole('group', { name: 'Confidence' })
  const slider = field.getByRole('slider')
  await expect(slider).toHaveAttribute('aria-valuetext', 'no answer')
  await expect(field.getByText('no answer')).toBeVisible()
  // In the middle, where its value is: the browser does not tell of a change.
  await slider.click()
  await expect(field.getByRole('spinbutton')).toHaveValue('50')
  await expect(slider).toHaveAttribute('aria-valuetext', '50')
  await expect(field.getByText('no answer')).toBeHidden()
  await field.getByRole('spinbutton').fill('')
  await expect(slider).toHaveAttribute('aria-valuetext', 'no answer')
  await slider.press('ArrowRight')
  await expect(field.getByRole('spinbutton')).toHaveValue('51')
  await field.getByRole('spinbutton').fill('')
  const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width / 4, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(field.getByRole('spinbutton')).toHaveValue('100')

  // Digits are of fields that show them.
  const correct = page.getByRole('radiogroup', { name: 'Correct' })
  await correct.focus()
  for (const key of ['y', '2']) await page.keyboard.press(key)
  await expect(correct.getByRole('radio', { name: 'Yes' })).toBeChecked()
})

test('the instructions of a queue stand on its page of review, and the end says what the person did', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const description = `${'Say no where the answer invents facts. '.repeat(8)}Ask Kim about refunds.`
  const more = { description, reviews_per_item: 2 }
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Good: { type: 'boolean' } }, count: 3, more })
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(`/queues/${queueId}/review`)
  await expect(page.getByText('under review')).toBeVisible()
  const main = page.getByRole('main')
  const hints = page.locator('footer p')
  await expect(hints).toContainText('1 to 9')
  expect(await main.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
  const buttonBox = await page.getByRole('button', { name: 'Skip' }).boundingBox()
  expect((await page.locator('footer').boundingBox())?.height).toBeLessThan(2 * (buttonBox?.height ?? 0))

  await page.setViewportSize({ width: 320, height: 640 })
  const instructions = page.getByText('Ask Kim about refunds.', { exact: false })
  const folded = (await instructions.boundingBox())?.height ?? 0
  await page.getByRole('button', { name: 'Show all' }).press('Enter')
  expect((await instructions.boundingBox())?.height).toBeGreaterThan(2 * folded)
  expect(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)

  await page.setViewportSize({ width: 1280, height: 800 })
  const good = page.getByRole('radiogroup', { name: 'Good' })
  await good.focus()
  await page.keyboard.press('s')
  for (const number of [2, 3]) {
    await expect(page.getByRole('heading', { name: `Item ${number} of this visit` })).toBeVisible()
    await expect(good).toBeFocused()
    await page.keyboard.press('y')
    await page.keyboard.press('Control+Enter')
  }
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
  await expect(page.getByText('You reviewed 2 items and skipped 1 in this visit.', { exact: false })).toBeVisible()
  await expect(
    page.getByText('2 of 6 reviews are done. 3 items still wait for reviews by other people.', { exact: false }),
  ).toBeVisible()
  await expect(hints).toHaveText('?all keysUundo←previous item')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('heading', { name: 'Item 3 of this visit' })).toBeVisible()
})

test("the progress of the queue counts one's own decision when it is stored", async ({ page, client, projectId, signIn }) => {
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Helpful: { type: 'boolean' } }, count: 3 })
  await page.clock.install()
  await signIn(`/queues/${queueId}/review`)
  await expect(page.getByText('0 of 3 items of the queue done')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('y')
  await page.keyboard.press('Control+Enter')
  const isCounted = async () => {
    await page.clock.runFor(20)
    return await page.getByText('1 of 3 items of the queue done').isVisible()
  }
  // All these steps are three seconds of the page's clock, and it asks by itself only every ten.
  await expect.poll(isCounted, { intervals: [100], timeout: 15_000 }).toBe(true)
})

test('a number stays as it is typed, and what is none is not sent', async ({ page, client, projectId, signIn }) => {
  const schemas = { Count: { type: 'number' } }
  const { queueId } = await createReviewQueue(client, projectId, { schemas, count: 1 })
  await signIn(`/queues/${queueId}/review`)
  const { keyboard } = page
  const count = page.getByRole('spinbutton', { name: 'Count' })
  await expect(page.getByRole('group', { name: 'Count' })).toBeFocused()
  await keyboard.type('3-')
  await expect(count).toHaveValue('3-')
  await keyboard.press('Control+Enter')
  await expect(page.getByText('Enter a number, such as 0.5.')).toBeVisible()
  await expect(count).toHaveValue('3-')
  await count.press('Control+a')
  await keyboard.type('1e3')
  await count.hover()
  await page.mouse.wheel(0, 100)
  await keyboard.press('ArrowDown')
  await expect(count).toHaveValue('999')
  await expect(count).toBeFocused()
  await keyboard.press('Control+a')
  await keyboard.type('1e3')
  await keyboard.press('Control+Enter')
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
  const stored = await readAnswers(client, projectId, queueId)
  expect(stored.map(({ value }) => value)).toEqual([1000])
})

test('at 320 px what is reviewed and its tools fit', async ({ page, client, projectId, signIn }) => {
  const queue = { schemas: { Helpful: { type: 'boolean' } }, count: 1, displayFields: ['inputs.messages'] }
  const { queueId } = await createReviewQueue(client, projectId, queue)
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(`/queues/${queueId}/review`)
  const call = page.getByRole('region', { name: 'Call to review' })
  // In the message, and perhaps already in the chain of its calls.
  await expect(call.getByText('where is my parcel?').first()).toBeVisible()
  expect(await call.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  // Further lines of a turn begin under the first one's text, and what is said of it stays in one line.
  const turn = call.getByRole('list', { name: 'Turns around' }).locator('[aria-current]')
  const [note, words] = await Promise.all(
    ['under review', 'where is my parcel?'].map((text) => turn.getByText(text).boundingBox()),
  )
  expect(note?.height).toBeLessThan(20)
  expect(note?.y).toBeGreaterThan(words?.y ?? Infinity)
  expect(note?.x).toBeGreaterThanOrEqual(words?.x ?? Infinity)
})

test('a key that is held decides one item, and Enter that leads to a text writes nothing there', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const optional = { 'x-optional': true }
  const schemas = { Good: { type: 'boolean', ...optional }, Note: { type: 'string', ...optional } }
  const { queueId } = await createReviewQueue(client, projectId, { schemas, count: 9 })
  await signIn(`/queues/${queueId}/review`)
  const { keyboard } = page
  const item = (number: number) => page.getByRole('heading', { name: `Item ${number} of this visit` })
  const good = page.getByRole('radiogroup', { name: 'Good' })
  const hold = async (key: string) => {
    for (let repeat = 0; repeat < 12; repeat += 1) {
      await keyboard.down(key)
      // The pause between two repeats of a held key.
      await page.waitForTimeout(33)
    }
    await keyboard.up(key)
  }
  await expect(good).toBeFocused()
  await hold('s')
  await expect(item(2)).toBeVisible()
  await expect(good).toBeFocused()
  await hold('Enter')
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('')
  await keyboard.down('Control')
  await hold('Enter')
  await keyboard.up('Control')
  await expect(item(3)).toBeVisible()
  await page.getByRole('button', { name: 'Skip', exact: true }).focus()
  await hold('Enter')
  await expect(item(4)).toBeVisible()

  // What a hand does that is used to double clicks.
  await page.getByRole('button', { name: 'Skip', exact: true }).dblclick({ delay: 40 })
  await expect(item(5)).toBeVisible()
  // That no second item is skipped can only be waited for.
  await page.waitForTimeout(500)
  await expect(item(5)).toBeVisible()
})

test('what is typed while an answer is being stored is no part of the next one', async ({ page, client, projectId, signIn }) => {
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Note: { type: 'string' } }, count: 3 })
  await signIn(`/queues/${queueId}/review`)
  const note = page.getByRole('textbox', { name: 'Note' })
  const field = page.getByRole('group', { name: 'Note' })
  await note.fill('first')
  await page.route('**/feedback/batch/create', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.keyboard.press('Control+Enter')
  await expect(field).toHaveAttribute('aria-disabled', 'true')
  await expect(note).toHaveAttribute('readonly')
  await expect(field).toHaveCSS('opacity', '0.55')
  // As of a hand: no key waits until the page has handled the one before.
  const keys = Array.from('such typing goes on over the change of the item', async (key, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 30))
    await page.keyboard.press(key)
  })
  await Promise.all(keys)
  await expect(page.getByRole('heading', { name: 'Item 2 of this visit' })).toBeVisible()
  await expect(note).toHaveValue('')
  // The page ignores keys until the person pauses.
  await page.waitForTimeout(400)
  await page.keyboard.type('second')
  await expect(note).toHaveValue('second')
  expect((await readAnswers(client, projectId, queueId)).map(({ value }) => value)).toEqual(['first'])
})

test('a key that chooses does nothing while an answer is being stored, and chooses for the next item at once', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Good: { type: 'boolean' } }, count: 2 })
  await signIn(`/queues/${queueId}/review`)
  let store: (() => void) | undefined
  await page.route('**/feedback/batch/create', async (route) => {
    await new Promise<void>((resolve) => (store = resolve))
    await route.continue()
  })
  await expect(page.getByRole('radiogroup', { name: 'Good' })).toBeFocused()
  await page.keyboard.press('y')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('radiogroup', { name: 'Good' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('y')
  await expect.poll(() => store, 'the answer has been sent').toBeDefined()
  store?.()
  await expect(page.getByRole('heading', { name: 'Item 2 of this visit' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('radio', { name: 'No' })).toBeChecked()
})

test('Escape and Enter of an input method are no keys of the page', async ({ page, client, projectId, signIn }) => {
  const cities = Array.from({ length: 40 }, (_, index) => `日本${index}`)
  const schemas = { Note: { type: 'string' }, City: { type: 'string', enum: cities } }
  const { queueId } = await createReviewQueue(client, projectId, { schemas, count: 2 })
  await signIn(`/queues/${queueId}/review`)
  const session = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  const press = (key: string) =>
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: 229 })
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.fill('a')
  await compose('にほ')
  await press('Escape')
  await expect(note).toBeFocused()

  const city = page.getByRole('combobox', { name: 'City' })
  await city.focus()
  await compose('日')
  await expect(page.getByRole('option')).not.toHaveCount(0)
  await press('Enter')
  await expect(city).toHaveValue('日')
  await expect(page.getByRole('list', { name: 'Chosen' })).toHaveCount(0)
})

test('an item that two tabs show is given back when the last of them is closed', async ({ page, client, projectId, signIn }) => {
  const { queueId } = await createReviewQueue(client, projectId, { schemas: { Note: { type: 'string' } }, count: 1 })
  const path = `/queues/${queueId}/review`
  await signIn(path)
  const note = (tab: typeof page) => tab.getByRole('textbox', { name: 'Note' })
  await note(page).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${path}?project=${projectId}`)
  await note(other).fill('a long thought')
  const isHeld = async () => {
    const reply = await client.postJson(`/annotation_queues/${queueId}/items/query`, { project_id: projectId })
    return (reply as { items: { lease: unknown }[] }).items[0]?.lease !== null // the contract says so
  }
  await page.close({ runBeforeUnload: true })
  // That nothing is given back can only be waited for.
  await other.waitForTimeout(500)
  expect(await isHeld()).toBe(true)
  await other.goto('about:blank')
  await expect.poll(isHeld).toBe(false)
})
