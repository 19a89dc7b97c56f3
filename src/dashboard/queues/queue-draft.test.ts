// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { draftStore, isEmptyDraft, newDraft } from './queue-draft'

const here = { id: 'one', projectId: 'acme/support' }
const ref = 'weave:///acme/support/scorer/Tone:v1'

beforeEach(() => localStorage.clear())

test('a stored draft is read back, separately for each connection and project', () => {
  const draft = newDraft({ name: 'Refunds', scorer_refs: [ref] })
  draftStore(here).write(draft)
  expect(draftStore(here).read()).toEqual(draft)
  expect(draftStore({ ...here, projectId: 'acme/other' }).read()).toBeUndefined()
  expect(draftStore({ ...here, id: 'two' }).read()).toBeUndefined()
})

test('a draft that does not fit the schema is ignored', () => {
  localStorage.setItem(draftStore(here).key, '{"name": 7')
  expect(draftStore(here).read()).toBeUndefined()
  localStorage.setItem(draftStore(here).key, '{"name": 7}')
  expect(draftStore(here).read()).toBeUndefined()
})

test('each new draft has its own UUID as its key', () => {
  const keys = Array.from({ length: 50 }, () => newDraft().idempotencyKey)
  expect(new Set(keys).size).toBe(50)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a draft made from another keeps the content and gets a new key', () => {
  const draft = newDraft({ name: 'Refunds' })
  expect(newDraft(draft)).toMatchObject({ name: 'Refunds' })
  expect(newDraft(draft).idempotencyKey).not.toBe(draft.idempotencyKey)
})

test('a draft is empty until something is typed', () => {
  expect(isEmptyDraft(newDraft())).toBe(true)
  expect(isEmptyDraft(newDraft({ description: 'x' }))).toBe(false)
})
