// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { ownerKey } from '../client/owner-key'
import { draftStore, isEmptyDraft, newDraft, toRequest } from './queue-draft'

const here = { id: 'one', projectId: 'acme/support', username: 'ann' }
const ref = 'weave:///acme/support/scorer/Tone:v1'

beforeEach(() => localStorage.clear())

let clock = 0
const now = () => clock

beforeEach(() => {
  clock = 1_000_000
  sessionStorage.clear()
})

/** What another tab sees: its own session storage and its own module state. */
async function openTab() {
  vi.resetModules()
  sessionStorage.clear()
  const { draftStore: store } = await import('./queue-draft')
  return store(here, now)
}

test('a tab takes its draft again, separately for each connection, project and user', () => {
  const draft = newDraft({ name: 'Refunds', scorer_refs: [ref] })
  draftStore(here, now).write(draft)
  expect(draftStore(here, now).take()).toMatchObject(draft)
  expect(draftStore({ ...here, projectId: 'acme/other' }, now).take()).toBeUndefined()
  expect(draftStore({ ...here, id: 'two' }, now).take()).toBeUndefined()
  expect(draftStore({ ...here, username: 'ben' }, now).take()).toBeUndefined()
})

test('two tabs have a draft each; the draft of a closed tab goes to the next tab', async () => {
  const first = await openTab()
  first.write(newDraft({ name: 'First' }))
  clock += 1
  const second = await openTab()
  expect(second.take()).toBeUndefined()
  second.write(newDraft({ name: 'Second' }))
  // Nobody renews them: both tabs are gone.
  clock += 200_000
  const third = await openTab()
  expect(third.take()).toMatchObject({ name: 'Second' })
  expect(third.listOthers()).toMatchObject([{ name: 'First' }])
})

test('a draft that is closed with its tab is free at once', async () => {
  const first = await openTab()
  first.keepLease()
  first.write(newDraft({ name: 'First' }))
  dispatchEvent(new Event('pagehide'))
  expect((await openTab()).take()).toMatchObject({ name: 'First' })
})

test('an emptied draft and one that does not fit the schema are not kept', () => {
  const store = draftStore(here, now)
  const draft = newDraft({ name: 'Refunds' })
  store.write(draft)
  store.write({ ...draft, name: '' })
  localStorage.setItem(`spool.queue-draft ${ownerKey(here)} broken`, '{"name": 7}')
  expect(store.take()).toBeUndefined()
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

test("a request has W&B Weave's shape unless the person chose how the queue is reviewed", () => {
  const draft = newDraft({ name: ' Refunds ', scorer_refs: [ref] })
  expect(toRequest(draft)).toEqual({ name: 'Refunds', scorer_refs: [ref], description: '' })
  expect(toRequest({ ...draft, reviews_per_item: 2 })).toEqual({ ...toRequest(draft), reviews_per_item: 2 })
  expect(toRequest({ ...draft, assignees: ['ann'] })).toEqual({ ...toRequest(draft), assignees: ['ann'] })
})
