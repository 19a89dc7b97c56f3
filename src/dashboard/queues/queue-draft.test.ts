// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { draftStore, isEmptyDraft, newDraft } from './queue-draft'
import { QueueForm } from './queue-form'

const here = { id: 'one', projectId: 'acme/support' }
const ref = 'weave:///acme/support/scorer/Tone:v1'

beforeEach(() => localStorage.clear())

test('a draft survives, per connection and project', () => {
  const draft = newDraft({ name: 'Refunds', scorer_refs: [ref] })
  draftStore(here).write(draft)
  expect(draftStore(here).read()).toEqual(draft)
  expect(draftStore({ ...here, projectId: 'acme/other' }).read()).toBeUndefined()
  expect(draftStore({ ...here, id: 'two' }).read()).toBeUndefined()
})

test('a draft that another version or a hand has broken reads as none', () => {
  localStorage.setItem(draftStore(here).key, '{"name": 7')
  expect(draftStore(here).read()).toBeUndefined()
  localStorage.setItem(draftStore(here).key, '{"name": 7}')
  expect(draftStore(here).read()).toBeUndefined()
})

test('each draft has a key of its own, a UUID', () => {
  const keys = Array.from({ length: 50 }, () => newDraft().idempotencyKey)
  expect(new Set(keys).size).toBe(50)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('the same content under a new key is another queue', () => {
  const draft = newDraft({ name: 'Refunds' })
  expect(newDraft(draft)).toMatchObject({ name: 'Refunds' })
  expect(newDraft(draft).idempotencyKey).not.toBe(draft.idempotencyKey)
})

test('knows when nothing is typed', () => {
  expect(isEmptyDraft(newDraft())).toBe(true)
  expect(isEmptyDraft(newDraft({ description: 'x' }))).toBe(false)
})

test('the form asks for a name and one reference at least, a hundred at most', () => {
  const messages = (form: unknown) =>
    QueueForm.safeParse(form).error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(messages({ name: ' ', description: '', scorer_refs: [] })).toEqual([
    ['name', 'A name is needed: 1 to 255 characters.'],
    ['scorer_refs', 'At least one scorer reference is needed.'],
  ])
  expect(messages({ name: 'a', description: '', scorer_refs: Array.from({ length: 101 }, () => ref) })).toEqual([
    ['scorer_refs', 'At most 100 scorer references fit into one queue.'],
  ])
  expect(messages({ name: 'a', description: '', scorer_refs: [ref] })).toBeUndefined()
})
