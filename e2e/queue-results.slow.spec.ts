import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findViolations } from './find-violations'
import { expect, test } from './fixtures'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'

const project_id = 'e2e/results'
/** Longer than a window is wide. */
const longName = `coder-${'c'.repeat(200)}`
const people = ['admin', 'coder-a', 'coder-b', longName]
const toPassword = (username: string) => `the password of ${username}`

// Three coders and fifteen units: https://en.wikipedia.org/wiki/Krippendorff%27s_alpha#A_computational_example
const answersByCoder = {
  'coder-a': '. . . . . 3 4 1 2 1 1 3 3 . 3',
  'coder-b': '1 . 2 1 3 3 4 3 . . . . . . .',
  [longName]: '. . 2 1 3 4 4 . 2 1 1 3 3 . 4',
}

let folder = ''
let own: SpoolService

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-results-'))
  chmodSync(folder, 0o700)
  const users = people.map((username) => ({ username, password: toPassword(username), projects: '*' }))
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })
  own = await SpoolService.start({ SPOOL_DATA: folder, SPOOL_SAMPLE: 'off' })
})
test.afterAll(async () => {
  await own.stop()
  rmSync(folder, { recursive: true, force: true })
})

const toClient = (username: string) => new SpoolClient(own.url, username, toPassword(username))

async function post<Body>(username: string, path: string, fields: object): Promise<Body> {
  return (await toClient(username).postJson(path, { project_id, ...fields })) as Body // the service's tests check its shape
}

/** The coders answer in a queue. Returns its id. */
async function answerAll(): Promise<string> {
  const callIds = Array.from({ length: 15 }, (_, index) => (index + 1).toString(16).padStart(16, '0'))
  const batch = callIds.flatMap((id, index) => {
    const at = `2026-01-01T00:${String(index).padStart(2, '0')}:00Z`
    const start = { project_id, id, trace_id: id + id, thread_id: `chat-${index % 5}`, turn_id: id, op_name: 'answer' }
    return [
      { mode: 'start', req: { start: { ...start, started_at: at, attributes: {}, inputs: { question: `q${index}` } } } },
      { mode: 'end', req: { end: { project_id, id, ended_at: at, summary: {}, output: 'x' } } },
    ]
  })
  await post('admin', '/call/upsert_batch', { batch })
  const val = { name: 'grade', field_schema: { type: 'integer', minimum: 1, maximum: 5 } }
  const obj = { project_id, object_id: 'grade', val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await post<{ digest: string }>('admin', '/obj/create', { obj })
  const ref = `weave:///${project_id}/object/grade:${digest}`
  const queue = { name: '=Coders', scorer_refs: [ref], reviews_per_item: 3 }
  const { id } = await post<{ id: string }>('admin', '/annotation_queues', queue)
  await post('admin', `/annotation_queues/${id}/items`, { call_ids: callIds, display_fields: [] })
  const { items } = await post<{ items: { id: string; call_id: string }[] }>('admin', `/annotation_queues/${id}/items/query`, {})
  await Promise.all(
    Object.entries(answersByCoder).map(async ([coder, row]) => {
      for (const [index, value] of row.split(' ').entries()) {
        const item = items[index]
        if (value === '.' || !item) continue
        await post(coder, '/feedback/create', {
          weave_ref: `weave:///${project_id}/call/${item.call_id}`,
          feedback_type: 'wandb.annotation.grade',
          annotation_ref: ref,
          payload: { value: Number(value) },
          queue_id: id,
        })
        await post(coder, `/annotation_queues/${id}/items/${item.id}/progress`, { annotation_state: 'completed' })
      }
    }),
  )
  return id
}

/** The elements in which something lies outside of their width. */
function listSidewaysScrolled(root: Element): string[] {
  return [root, ...root.querySelectorAll('*')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'auto')
    .map((each) => each.textContent.slice(0, 40))
}

test('the page shows the agreement of a published example, the items that people disagree on, and exports the answers', async ({
  page,
}) => {
  test.slow()
  const queueId = await answerAll()
  await page.goto(`${own.url}/connection`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(toPassword('admin'))
  await page.getByLabel('Project').first().fill(project_id)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: `Project ${project_id}` })).toBeVisible()

  await page.goto(`${own.url}/queues/${queueId}`)
  await page.getByText('Results', { exact: true }).click()
  const scorer = page.getByRole('region', { name: 'Scorer grade' })
  await expect(scorer).toContainText('number · 27 answers for 13 items · v0')
  await expect(scorer.getByRole('row', { name: /^3 / })).toContainText('10')
  const figure = (name: string) => scorer.locator('dl > div').filter({ has: page.getByRole('button', { name, exact: true }) })
  await expect(figure("Krippendorff's alpha").getByRole('definition')).toHaveText('0.691')
  await expect(figure('alpha, by distance').getByRole('definition')).toHaveText('0.811')
  await expect(figure("Cohen's kappa").getByRole('definition')).toHaveText('Only for two people; 3 answered.')
  await scorer.getByRole('button', { name: "Krippendorff's alpha" }).focus()
  await expect(page.getByRole('tooltip').filter({ visible: true })).toContainText("Computing Krippendorff's Alpha-Reliability")
  expect(await findViolations(page, 'main')).toEqual([])

  const items = page.getByRole('region', { name: 'Items with answers' })
  await expect(items.getByRole('listitem').first()).toContainText('disagreement')
  await expect(items.getByRole('listitem').first()).toContainText(/^answer\s*thread chat-\d/)
  await expect(items.getByRole('listitem').nth(5)).not.toContainText('disagreement')

  // Nothing lies beside the page, on a phone neither, and with forced colours the bars are there.
  const results = page.getByRole('main')
  expect(await results.evaluate(listSidewaysScrolled)).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await results.evaluate(listSidewaysScrolled)).toEqual([])
  const cells = scorer.getByRole('table', { name: 'People who answered grade' }).getByRole('cell')
  expect(await cells.evaluateAll((all) => [...new Set(all.map((cell) => getComputedStyle(cell).textAlign))])).toEqual(['left'])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ forcedColors: 'active' })
  const drawn = results.locator('td[aria-hidden] > span > span[style], .queue-track > span, .queue-days > span')
  expect(await drawn.count()).toBeGreaterThan(8)
  const colors = await drawn.evaluateAll((bars) => [...new Set(bars.map((bar) => getComputedStyle(bar).backgroundColor))])
  expect(colors).toEqual([await page.locator('body').evaluate((body) => getComputedStyle(body).color)])
  await page.emulateMedia({ forcedColors: null })

  const exportAs = async (name: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const downloading = page.waitForEvent('download')
  await exportAs('Answers as CSV')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Coders-results.csv')
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(28)
  expect(lines[1]).toContain(`weave:///${project_id}/object/grade:`)
  await exportAs('Save as a Weave dataset')
  const saved = page.getByText(/^Saved 27 answers as /)
  await expect(saved).toBeVisible()
  const digest = /:([^:]+)$/.exec((await saved.textContent()) ?? '')?.[1] ?? ''
  type Stored = { obj: { val: { rows: string }; base_object_class: string } }
  const { obj } = await post<Stored>('admin', '/obj/read', { object_id: 'Coders-results', digest })
  expect(obj.base_object_class).toBe('Dataset')
  const table = { digest: obj.val.rows.split('/').at(-1) }
  const { rows } = await post<{ rows: { val: object }[] }>('admin', '/table/query', table)
  expect(rows).toHaveLength(27)
  const [first, ...others] = rows.map(({ val }) => val)
  // In the order of the calls' ids.
  expect(first).toMatchObject({ scorer: 'grade', scorer_version: 'v0', call_id: '0000000000000001', is_disagreement: false })
  expect(others).toContainEqual(expect.objectContaining({ is_disagreement: true }))

  await items.getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'Judged by people' })).toContainText('grade')
  // Nobody judged the first turn of this thread.
  await page.goto(`${own.url}/threads/chat-1`)
  const turns = page.getByRole('list', { name: 'Turns' }).getByRole('button', { name: /^Turn \d/ })
  await expect(turns.nth(1)).toContainText('judged')
  await expect(turns.nth(2)).toContainText('judged')
  await expect(turns.nth(0)).not.toContainText('judged')
  await page.goto(`${own.url}/queues/${queueId}?view=results`)
  await scorer.getByRole('link', { name: '2', exact: true }).press('Enter')
  await expect(page).toHaveURL(/\/threads\?.*answer=grade%3D2/)
  await expect(page.getByRole('table', { name: /Threads/ }).getByRole('row', { name: /chat-/ })).toHaveCount(2)
})
