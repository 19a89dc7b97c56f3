// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { type ReviewDraft, reviewDrafts } from './review-drafts'

const connection = { id: 'c', projectId: 'acme/support', username: 'ann' }
let nowMs = 0
const open = (page: string, more: Partial<typeof connection> = {}, queueId = 'q') =>
  reviewDrafts({ ...connection, ...more }, queueId, { now: () => (nowMs += 1), page })
const draft = (tone: string): ReviewDraft => ({ entered: { tone }, sent: {} })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('a draft is there again after the page is loaded again', () => {
  open('first').write('item', draft('kind'))
  expect(open('second').read('item')).toEqual(draft('kind'))
})

test('two tabs with the same item keep one draft each', () => {
  const [one, two] = [open('one'), open('two')]
  one.write('item', draft('kind'))
  two.write('item', draft('rude'))
  expect(one.read('item')).toEqual(draft('kind'))
  expect(two.read('item')).toEqual(draft('rude'))
})

test('a tab that is loaded again has its own draft, not the newer one of another tab', () => {
  open('one').write('item', draft('kind'))
  const tab = sessionStorage.getItem('spool.review-page') ?? ''
  open('two').write('item', draft('rude'))
  sessionStorage.setItem('spool.review-page', tab)
  expect(open('one again').read('item')).toEqual(draft('kind'))
})

test('a draft belongs to one person, project, queue and item', () => {
  open('page').write('item', draft('kind'))
  expect(open('page').read('other')).toBeUndefined()
  expect(open('page', {}, 'other').read('item')).toBeUndefined()
  expect(open('page', { username: 'bob' }).read('item')).toBeUndefined()
  expect(open('page', { projectId: 'acme/other' }).read('item')).toBeUndefined()
})

test('what is decided is removed, in every tab', () => {
  open('one').write('item', draft('kind'))
  open('two').write('item', draft('rude'))
  open('one').remove('item')
  expect(open('two').read('item')).toBeUndefined()
})

test('at most 200 drafts are kept, the newest', () => {
  for (let index = 0; index < 205; index += 1) open('page').write(`item${index}`, draft('kind'))
  expect(localStorage).toHaveLength(200)
  expect(open('page').read('item4')).toBeUndefined()
  expect(open('page').read('item204')).toEqual(draft('kind'))
})

test('damaged drafts are ignored', () => {
  open('page').write('item', draft('kind'))
  for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"entered":1}')
  expect(open('page').read('item')).toBeUndefined()
})
