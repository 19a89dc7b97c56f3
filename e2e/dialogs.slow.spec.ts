import type { Page } from 'playwright/test'
import { FaultProxy } from './fault-proxy'
import { expect, signInByForm, test } from './fixtures'
import { oneTurnThreads, writeTurns } from './turns'

declare global {
  interface Window {
    /** Whether the dialog is modal in the frame after the person closed it, and its opacity. */
    lastFrame: Promise<[boolean, string]>
  }
}

const monday = Date.UTC(2026, 0, 5, 9)

test('Escape closes the command palette alone, and the focus goes back; a command and a click elsewhere close it too', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  await signIn('/threads')
  const row = page.locator('tbody [data-row-button]').nth(1)
  await row.click()
  const panel = page.getByRole('dialog', { name: /^Thread / })
  await expect(panel).toBeVisible()
  await row.focus()
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const field = palette.getByRole('combobox')
  const open = async () => {
    await page.keyboard.press('ControlOrMeta+K')
    await expect(field).toBeFocused()
  }

  await open()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await expect(row).toBeFocused()
  await expect(panel).toBeVisible()

  await open()
  await page.mouse.click(5, 790)
  await expect(palette).toBeHidden()

  await open()
  await field.fill('keyboard help')
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await page.keyboard.press('Escape')

  await open()
  await field.fill('costs')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/costs/)
  await expect(page.getByRole('heading', { level: 1, name: 'Costs' })).toBeFocused()
  await expect(palette).toBeHidden()
})

test('an id that is pasted into the command palette opens its thread, or its call in its thread', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const ids = await writeTurns(client, projectId, oneTurnThreads(3, monday))
  await signIn('/costs')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const openById = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+K')
    await palette.getByRole('combobox').fill(text)
  }

  await openById(' thread-0001 ')
  await expect(palette.getByRole('option')).toHaveText(['Thread thread-0001', 'Call thread-0001'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'thread-0001' })).toBeVisible()
  await expect(page).toHaveTitle('thread-0001 · Thread · Spool')

  await openById(ids[1] ?? '')
  await palette.getByRole('option', { name: 'Call ' }).click()
  await expect(page).toHaveURL(new RegExp(`/threads/thread-0002\\?.*turn=${ids[1]}`))

  await openById('no/such id')
  await page.keyboard.press('Enter')
  await expect(page.getByText('no/such id', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All threads' }).click()

  // No thread and no call has a longer id than 1,024 characters.
  await openById('x'.repeat(1025))
  await expect(palette.getByText('No command matches these words.')).toBeVisible()
  await openById('costs')
  await page.keyboard.press('Enter')
  await expect(page, 'a command comes before an id').toHaveURL(/\/costs(\?|$)/)
  await expect(page).toHaveTitle('Costs · Spool')
})

test('where the page answers late, the command palette shows its field first, and takes what is typed', async ({
  page,
  signIn,
}) => {
  await signIn('/threads')
  await page.evaluate(async () => {
    await new Promise<void>((resolve) => {
      new PerformanceObserver((list) => {
        // The load of the page may have had a shorter one.
        if (list.getEntries().some(({ duration }) => duration >= 150)) resolve()
      }).observe({ type: 'longtask' })
      setTimeout(() => {
        const end = performance.now() + 150
        while (performance.now() < end);
      })
    })
  })
  const optionCounts = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const counts: number[] = []
        const observer = new MutationObserver(() => {
          const field = document.querySelector('dialog [role=combobox]')
          if (field) counts.push(document.querySelectorAll('dialog [role=option]').length)
          if ((counts.at(-1) ?? 0) === 0) return
          observer.disconnect()
          resolve(counts)
        })
        observer.observe(document.body, { subtree: true, childList: true })
      }),
  )
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('costs')
  expect((await optionCounts)[0]).toBe(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/costs/)

  await expect(page.getByRole('heading', { level: 1, name: 'Costs' })).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' }).getByText('Close the row')).toBeVisible()
})

test('a dialog takes what is typed, Escape and a click beside it from its first frame on, and is modal after it', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  await signIn('/threads')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const button = page.getByRole('button', { name: 'Command palette' })
  await button.click()
  await expect(palette).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()

  // In the task that opens it, before the first frame.
  for (const how of ['Escape', 'click'] as const) {
    const isModal = await page.evaluate(async (act) => {
      const opener = document.querySelector<HTMLElement>('[aria-label="Command palette"]')
      const opened = new Promise<Element>((resolve) => {
        const observer = new MutationObserver(() => {
          const dialog = document.querySelector('dialog:popover-open')
          if (dialog) resolve(dialog)
        })
        observer.observe(document.body, { subtree: true, attributeFilter: ['popover'], childList: true })
      })
      opener?.focus()
      opener?.click()
      const dialog = await opened
      if (act === 'click') document.querySelector<HTMLElement>('tbody [data-row-button]')?.click()
      else document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      return dialog.matches(':modal')
    }, how)
    expect(isModal).toBe(false)
    await expect(palette).toBeHidden()
    await expect(button).toBeFocused()
  }
  await expect(page.getByRole('dialog', { name: /^Thread / })).toBeHidden()

  // What comes right after Escape is not for the dialog: its command does not run, and the page gets the key.
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  const cancelAndPress = (key: string) =>
    page.evaluate((pressed) => {
      document.querySelector('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
      const event = new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    }, key)
  await cancelAndPress('Enter')
  await expect(palette).toBeHidden()
  await expect(page).toHaveURL(/\/threads/)
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await cancelAndPress('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  // Who selects what is in a field may end beside the dialog, also before it is modal: a key is held.
  for (const isHeld of [false, true]) {
    await page.keyboard.down('ControlOrMeta')
    await page.keyboard.press('K')
    if (!isHeld) {
      await page.keyboard.up('ControlOrMeta')
      await page.keyboard.type('threads')
    }
    const field = await palette.getByRole('combobox').boundingBox()
    if (!field) throw new Error('The palette has a field.')
    await page.mouse.move(field.x + 100, field.y + field.height / 2)
    await page.mouse.down()
    await page.mouse.move(field.x - 60, field.y + field.height / 2)
    await page.mouse.up()
    await page.keyboard.up('ControlOrMeta')
    await expect(page.locator('dialog:modal')).toHaveCount(1)
    await expect(palette.getByRole('combobox')).toHaveValue(isHeld ? '' : 'threads')
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  }

  // A frame without it comes before the page is usable again.
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await page.evaluate(() => {
    window.lastFrame = new Promise((resolve) => {
      const readFrame = ({ target }: Event) =>
        requestAnimationFrame(() => {
          if (target instanceof Element) resolve([target.matches(':modal'), getComputedStyle(target).opacity])
        })
      document.addEventListener('cancel', readFrame, { capture: true, once: true })
    })
  })
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => window.lastFrame)).toEqual([true, '0'])
  await expect(palette).toBeHidden()
  await expect(button).toBeFocused()

  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('keyb')
  await expect(palette.getByRole('combobox')).toHaveValue('keyb')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('oard help')
  await page.keyboard.press('Enter')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await expect(help).toBeVisible()
  await page.keyboard.press('Escape')

  // Of a menu its button has the focus afterwards, and the way back closes what is open.
  const views = page.getByRole('button', { name: 'Views' })
  await views.click()
  await expect(page.getByRole('menuitem', { name: 'Save as new view…' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(views).toBeFocused()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Queues', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeFocused()
  await page.keyboard.press('?')
  await expect(help).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Threads' })).toBeFocused()
  await expect(help).toBeHidden()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeFocused()
  await expect(help).toBeHidden()
})

test('a view that is saved after its dialog was closed changes nothing that is open by then', async ({
  page,
  client,
  projectId,
  service,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  const proxy = await FaultProxy.start(service.url, ({ url }) => (url === '/views/create' ? { delayMs: 2000 } : {}))
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/threads`)
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click()
    await expect(page.getByLabel('Name')).toBeFocused()
  }
  await openDialog()
  await page.keyboard.type('First')
  const saved = page.waitForResponse((response) => response.url().endsWith('/views/create'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await openDialog()
  await page.keyboard.type('Second')
  await (await saved).finished()
  await expect(page.getByText('The view First is saved.')).toBeAttached()
  await expect(page.getByLabel('Name')).toHaveValue('Second')
  expect(page.url()).not.toContain('view-id')
  proxy.close()
})

test('what is typed while the file of the command palette loads is in its field, Enter picks, and Escape closes it', async ({
  page,
  client,
  projectId,
  service,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  let isTypedOn = true
  const proxy = await FaultProxy.start(service.url, ({ url }) =>
    /\/tools-/.test(url ?? '') && isTypedOn ? { delayMs: 1500 } : {},
  )
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const row = page.locator('tbody [data-row-button]').first()
  await page.goto(`${proxy.url}/threads`)
  await row.focus()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('costz')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('s')
  await expect(palette.getByRole('combobox')).toHaveValue('costs')
  await expect(palette.getByRole('combobox')).toBeFocused()

  await page.goto(`${proxy.url}/threads`)
  await row.focus()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Command palette' })).toBeVisible()
  await expect(palette).toBeHidden()
  await expect(row).toBeFocused()

  await page.goto(`${proxy.url}/threads`)
  await row.focus()
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('costs')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/costs/)
  await expect(palette).toBeHidden()
  isTypedOn = false
  proxy.close()
})

test('while projects load, the command palette and the project picker say so, and Enter acts when they are there', async ({
  page,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  // None of them was used in this browser, so only the service can name them.
  const others = ['palette', 'picker', 'typed', 'failed'].map((name) => `${projectId}-${name}`)
  for (const other of others) await writeTurns(client, other, oneTurnThreads(1, monday))
  const held: ((act: 'continue' | 'abort') => void)[] = []
  await page.route('**/projects', async (route) => {
    const act = await new Promise<'continue' | 'abort'>((resolve) => held.push(resolve))
    await route[act]()
  })
  const end = async (act: 'continue' | 'abort') => {
    await expect.poll(() => held.length).toBe(1)
    held.shift()?.(act)
  }
  const dialog = page.getByRole('dialog')
  const status = dialog.getByRole('status')
  const projectButton = page.getByRole('button', { name: /^Project / })
  const pressEnter = async (open: () => Promise<void>, text: string) => {
    await page.goto('/threads')
    await expect(projectButton).toBeVisible()
    await open()
    await dialog.getByRole('combobox').fill(text)
    await expect(status).toHaveText('Projects are still loading. Enter waits for them.')
    await page.keyboard.press('Enter')
  }
  const openPalette = () => page.keyboard.press('ControlOrMeta+K')
  await signIn('/threads')

  await pressEnter(openPalette, 'palette')
  await expect(dialog).toBeVisible()
  await end('continue')
  await expect(projectButton).toContainText(`${projectId}-palette`)
  await expect(dialog).toBeHidden()

  await pressEnter(() => projectButton.click(), 'picker')
  await end('continue')
  await expect(projectButton).toContainText(`${projectId}-picker`)
  await expect(dialog).toBeHidden()

  await test.step('what no project is called is opened as an id once they are there', async () => {
    await pressEnter(openPalette, 'nowhere')
    await end('continue')
    await expect(page).toHaveURL(/\/threads\/nowhere/)
    await expect(dialog).toBeHidden()
  })

  await test.step('typing on takes the Enter back', async () => {
    await pressEnter(openPalette, 'type')
    await page.keyboard.press('d')
    await end('continue')
    await expect(status, 'the project, and the commands that take the text for an id').toHaveText('3 found')
    await expect(projectButton).toContainText(`${projectId}-picker`)
  })

  await test.step('an arrow chooses what the text may also mean, at once', async () => {
    await pressEnter(openPalette, 'typed')
    await expect(dialog.getByRole('option')).toHaveText(['Thread typed', 'Call typed'])
    await expect(dialog.getByRole('option', { selected: true })).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await expect(dialog.getByRole('option', { selected: true })).toHaveText('Thread typed')
    await end('continue')
    await expect(status).toHaveText('3 found')
    await expect(dialog.getByRole('option', { selected: true }), 'the project before it moves it').toHaveText('Thread typed')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/threads\/typed/)
  })

  await test.step('a failed request takes the Enter back, and is named until the projects are there', async () => {
    expectedConsoleErrors.push('ERR_FAILED')
    await pressEnter(openPalette, 'failed')
    await end('abort')
    await end('abort')
    await expect(dialog.getByRole('option')).toHaveText(['Thread failed', 'Call failed'])
    const failure = dialog.getByRole('alert')
    await expect(failure).toContainText('The projects could not be read')
    await expect(failure).toContainText('This page tries again by itself.')
    await expect.poll(() => held.length).toBe(1)
    await expect(failure, 'while they are requested again').toBeVisible()
    await end('continue')
    await expect(status).toHaveText('3 found')
    await expect(failure).toBeHidden()
    await expect(projectButton).toContainText(`${projectId}-picker`)
  })
})

test('projects that cannot be read are no missing projects: the palette and the picker say so and can try again', async ({
  page,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  const other = `${projectId}-other`
  await writeTurns(client, other, oneTurnThreads(1, monday))
  let isBroken = true
  await page.route('**/projects', (route) => (isBroken ? route.fulfill({ status: 500 }) : route.continue()))
  expectedConsoleErrors.push('status of 500')
  await signIn('/threads')
  const open = {
    palette: () => page.keyboard.press('ControlOrMeta+K'),
    picker: () => page.getByRole('button', { name: /^Project / }).click(),
  }
  for (const name of ['palette', 'picker'] as const) {
    await test.step(name, async () => {
      isBroken = true
      await page.reload()
      await expect(page.locator('h1')).toBeVisible()
      await open[name]()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox').fill('other')
      const failure = dialog.getByRole('alert')
      await expect(failure).toContainText('The projects could not be read')
      isBroken = false
      await failure.getByRole('button', { name: 'Retry now' }).click()
      await expect(dialog.getByRole('option', { name: other })).toBeVisible()
      await expect(failure).toBeHidden()
    })
  }
})

/** Closes the open dialog without sending it, and loads the page again. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.reload()
}

test('what is typed into the forms of views and queues is there again after Escape and a reload; Cancel discards it', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const [callId] = await writeTurns(client, projectId, oneTurnThreads(3, monday))
  const body = { project_id: projectId, name: 'Slow answers', scorer_refs: [] }
  const { id: queueId } = (await client.postJson('/annotation_queues', body)) as { id: string } // the contract
  // A list that loads has such a button too.
  const cancel = () => page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await signIn('/threads')
  const saveView = async () => {
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click()
    await expect(page.getByLabel('Name')).toBeFocused()
  }
  await saveView()
  await page.keyboard.type('Busy')
  await leave(page)
  await saveView()
  await expect(page.getByLabel('Name')).toHaveValue('Busy')
  await cancel()
  await saveView()
  await expect(page.getByLabel('Name')).toHaveValue('')
  await cancel()

  const addToQueue = () => page.getByRole('button', { name: 'Add to queue' }).click()
  await addToQueue()
  await page.getByLabel('Seed').fill('42')
  await page.getByLabel('Name').fill('For review')
  await page.getByLabel('Shown to reviewers').fill('inputs.question')
  await leave(page)
  await addToQueue()
  await expect(page.getByLabel('Seed')).toHaveValue('42')
  await expect(page.getByLabel('Name')).toHaveValue('For review')
  await expect(page.getByLabel('Shown to reviewers')).toHaveValue('inputs.question')
  await cancel()
  await addToQueue()
  await expect(page.getByLabel('Name')).toHaveValue(/^Threads/)
  await cancel()

  await page.goto(`/queues/${queueId}`)
  const edit = () => page.getByRole('button', { name: 'Edit' }).click()
  await edit()
  await page.getByLabel('Description').fill('Those above a minute.')
  await leave(page)
  // Somebody else changes another field meanwhile.
  const renamed = await fetch(new URL(`/annotation_queues/${queueId}`, client.url), {
    method: 'PUT',
    headers: { authorization: client.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: projectId, name: 'Slowest answers' }),
  })
  expect(renamed.status).toBe(200)
  await edit()
  await expect(page.getByLabel('Description')).toHaveValue('Those above a minute.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Those above a minute.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Slowest answers' })).toBeVisible()
  await edit()
  await page.getByLabel('Name', { exact: true }).fill('Another')
  await cancel()
  await edit()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Slowest answers')
  await cancel()

  const addItems = () => page.getByRole('button', { name: 'Add items' }).click()
  await addItems()
  await page.getByRole('textbox', { name: 'Call ids' }).fill(callId ?? '')
  await leave(page)
  await addItems()
  await expect(page.getByRole('textbox', { name: 'Call ids' })).toHaveValue(callId ?? '')
  await page.getByRole('button', { name: 'Add 1 call' }).click()
  await expect(page.getByText('1 added.')).toBeVisible()
  await page.keyboard.press('Escape')
  await addItems()
  await expect(page.getByRole('textbox', { name: 'Call ids' })).toHaveValue('')
})

test('a key that is held after it opened a form does not send it, and one that closed it does nothing behind it', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  const body = { project_id: projectId, name: 'Slow answers', scorer_refs: [] }
  const { id: queueId } = (await client.postJson('/annotation_queues', body)) as { id: string } // the contract
  const hold = async (key: string) => {
    await page.keyboard.down(key)
    await expect(page.getByRole('dialog', { name: 'Edit queue' })).toBeVisible()
    for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down(key)
    await page.keyboard.up(key)
  }
  const changes: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && changes.push(request.url()))
  await signIn(`/queues/${queueId}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Description').fill('Half')
  await leave(page)
  await page.getByRole('button', { name: 'Edit' }).focus()
  await hold('Enter')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await expect(page.getByLabel('Description')).toHaveValue('Half')
  expect(changes).toEqual([])

  await page.goto('/threads')
  await page.locator('tbody [data-row-button]').first().click()
  const panel = page.getByRole('dialog', { name: /^Thread / })
  await expect(panel).toBeVisible()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await page.keyboard.down('Escape')
  await expect(page.locator('dialog')).toHaveCount(0)
  await page.keyboard.down('Escape')
  await page.keyboard.up('Escape')
  await expect(panel).toBeVisible()
})

test('what is typed while an answer is under way stays, whatever it is', async ({ page, client, projectId, signIn }) => {
  const body = { project_id: projectId, name: 'Slow answers', scorer_refs: [] }
  const { id: queueId } = (await client.postJson('/annotation_queues', body)) as { id: string } // the contract
  let letGo = () => {}
  const mayGo = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(`**/annotation_queues/${queueId}`, async (route) => {
    if (route.request().method() === 'PUT') await mayGo
    await route.continue()
  })
  await signIn(`/queues/${queueId}`)
  const description = page.getByLabel('Description')
  await page.getByRole('button', { name: 'Edit' }).click()
  await description.fill('first')
  const changed = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit' }).click()
  await description.fill('second')
  letGo()
  await (await changed).finished()
  await expect(page.getByText('Slow answers is saved')).toBeAttached()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(description).toHaveValue('second')

  // What was sent is no draft any more: a later change of somebody else is seen.
  await page.getByLabel('Name', { exact: true }).fill('Slower answers')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('queue-edit')))).toEqual([])
})

test('calls are not added after the dialog was closed while their ids were read', async ({
  page,
  client,
  projectId,
  service,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  const reads: string[] = []
  const proxy = await FaultProxy.start(service.url, ({ url = '' }) => {
    reads.push(url)
    return url === '/threads/sample' ? { delayMs: 1500 } : {}
  })
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/threads`)
  await page.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByText('All of them').click()
  const add = page.getByRole('button', { name: 'Add 3 calls' })
  await expect(add).toBeVisible()
  const read = page.waitForResponse((response) => response.url().endsWith('/threads/sample'))
  await add.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await (await read).finished()
  await page.getByRole('button', { name: 'Add to queue' }).click()
  await expect(add).toBeVisible()
  expect(reads).not.toContain('/annotation_queues')
  proxy.close()
})

test('after a dialog of prices the focus is where it was or near it, and Back does not open it again', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const cost = { prompt_token_cost: 0.000003, completion_token_cost: 0.00001, provider_id: 'openai' }
  await client.postJson('/cost/create', { project_id: projectId, costs: { 'house-a': cost, 'house-b': cost, 'house-c': cost } })
  const dialog = page.getByRole('dialog', { name: 'Add a price' })
  await signIn('/costs?view=prices&search=house&add=')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()

  const addPrices = page.getByRole('button', { name: 'Add prices' })
  await addPrices.press('Enter')
  await page.getByRole('menuitem', { name: 'One price…' }).press('Enter')
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(addPrices).toBeFocused()
  await page.goBack()
  await expect(page).not.toHaveURL(/add=/)
  await expect(dialog).toBeHidden()

  await page.goto('/costs?view=prices&search=house')
  const table = page.getByRole('table', { name: 'Model costs in force' })
  const row = table.getByRole('button', { name: /house-c/ })
  await row.press('Enter')
  const panel = page.getByRole('dialog', { name: /^Cost / })
  await panel
    .getByRole('button', { name: /^Remove/ })
    .first()
    .press('Enter')
  const question = page.getByRole('dialog', { name: 'Remove a price' })
  await question.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(question.getByText('The price is removed.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(panel).toContainText('There is no such record.')
  await expect(panel).toBeFocused()

  await page.goto('/costs?view=prices&search=house')
  await table.getByRole('button', { name: /house-a/ }).press('Enter')
  await panel.getByRole('button', { name: 'All records of this model' }).press('Enter')
  await expect(page).toHaveURL(/view=records/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.goto('/costs?view=prices&search=house')
  for (const name of ['house-a', 'house-b']) await table.getByRole('row', { name }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Compare' }).press('Enter')
  const compared = page.getByRole('dialog', { name: 'Compare prices' })
  await compared.getByRole('button', { name: 'Remove house-a' }).press('Enter')
  await expect(compared.getByRole('button', { name: 'Remove house-b' })).toBeFocused()
})
