import { findViolations } from './find-violations'
import { expect, test } from './fixtures'

type Queue = { id: string; scorer_refs: string[] }
type Version = { digest: string; val: unknown }

test('a scorer is made in the form by keyboard, edited, and the queue moved to its new version', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const readVersions = async (): Promise<Version[]> => {
    const response = await client.postJson('/objs/query', { project_id: projectId, filter: { object_ids: ['Tone'] } })
    return (response as { objs: Version[] }).objs // as the contract says
  }
  await signIn('/queues/new')
  await page.getByLabel('Name').fill('Refunds')
  await page.getByRole('button', { name: 'Make a scorer' }).press('Enter')
  const editor = page.getByRole('dialog', { name: 'Make a scorer' })
  await expect(editor.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Tone')
  await page.keyboard.press('Tab')
  await page.keyboard.type('How does it sound?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await editor.getByRole('textbox', { name: 'Category 1' }).focus()
  await page.keyboard.type('Cold')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('Warm')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(editor.getByRole('region', { name: 'Preview' }).getByRole('radio')).toHaveCount(2)
  // Opened again, when its file is there already, it has the focus too.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Make a scorer' }).click()
  await expect(editor.getByRole('textbox', { name: 'Name' })).toBeFocused()
  // What is typed survives a reload, and the editor is open again.
  await page.reload()
  await expect(editor.getByRole('textbox', { name: 'Category 1' })).toHaveValue('Warm')
  expect(await findViolations(page, 'dialog')).toEqual([])
  await editor.getByRole('button', { name: 'Save scorer' }).dblclick()
  await expect(editor).toBeHidden()
  await expect(page.getByRole('list', { name: 'Added scorer references' })).toContainText('Tone v0')
  expect(await readVersions()).toMatchObject([
    { val: { _class_name: 'AnnotationSpec', name: 'Tone', field_schema: { type: 'string', enum: ['Warm', 'Cold'] } } },
  ])
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
  const [queue] = (await client.postLines('/annotation_queues/query', { project_id: projectId })) as Queue[] // as above

  await page.goto(`/queues/${queue?.id}?view=scorers`)
  await page.getByRole('button', { name: 'Edit scorer Tone' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit scorer' })
  await edited.getByRole('textbox', { name: 'Category 2' }).press('Enter')
  await page.keyboard.type('Rude')
  await edited.getByRole('button', { name: 'Save as v1' }).click()
  await expect(page.getByText('Saved Tone as v1. This queue keeps its version until it is moved.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'What changed' })).toContainText('Category added: Rude')
  expect(await findViolations(page, 'main')).toEqual([])
  await page.getByRole('button', { name: 'Move this queue to v1' }).click()
  await expect(page.getByText('The queue uses v1 of Tone now.')).toBeVisible()
  const [moved] = (await client.postLines('/annotation_queues/query', { project_id: projectId })) as Queue[] // as above
  const [, newest] = await readVersions()
  expect(moved?.scorer_refs).toEqual([`weave:///${projectId}/object/Tone:${newest?.digest}`])

  // The same scorer is picked by keyboard for the next queue.
  await page.goto('/queues/new')
  await page.getByRole('button', { name: 'Pick scorers' }).press('Enter')
  await page.keyboard.type('rude or ton')
  await expect(page.getByText('No other scorer matches these words.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Scorer' }).fill('ton categories')
  await expect(page.getByRole('option', { name: /Tone.*How does it sound\?.*v1 · one of 3 categories/ })).toBeVisible()
  expect(await findViolations(page, '[popover]:popover-open')).toEqual([])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Added scorer references' })).toContainText('Tone v1')
})

test('scorers are removed one after the other by keyboard, and the last removal can be undone', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const scorer_refs = ['One', 'Two', 'Three'].map((name) => `weave:///${projectId}/object/${name}:v0`)
  const queue = (await client.postJson('/annotation_queues', { project_id: projectId, name: 'Refunds', scorer_refs })) as Queue // as above
  await signIn(`/queues/${queue.id}?view=scorers`)
  const row = (name: string) =>
    page.getByRole('list', { name: 'Scorers of this queue' }).getByRole('listitem').filter({ hasText: name })
  await page.getByRole('button', { name: 'Remove Two' }).press('Enter')
  await expect(row('Three').getByRole('button').first()).toBeFocused()
  await page.getByRole('button', { name: 'Remove Three' }).press('Enter')
  await expect(row('One').getByRole('button').first()).toBeFocused()
  await page.getByRole('button', { name: 'Remove One' }).press('Enter')
  await expect(page.getByText('reviewers have nothing to answer')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pick scorers' })).toBeFocused()
  await page.getByText('Items', { exact: true }).click()
  await page.getByText('Scorers', { exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row('One')).toBeVisible()
})
