import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { SecondPass } from './second-pass'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

test('a second pass goes on where it was, ends once, and takes fewer calls after it was stopped', async () => {
  await place.store.insert('second_passes', [
    { watermark_table: 'spent_before', project_id: 'a/p', watermark: 0, until: 100 },
    { watermark_table: 'spent_before', project_id: 'b/p', watermark: 100, until: 100 },
    { watermark_table: 'searched_before', project_id: 'c/p', watermark: 0, until: 100 },
    { watermark_table: 'spent_before', project_id: 'd/p', watermark: 0, until: 100 },
  ])
  const passes = new SecondPass(place.store, 'spent_before')
  expect([...(await passes.load()).keys()]).toEqual(['a/p', 'd/p'])
  const pass = (await passes.load()).get('a/p')
  if (!pass) throw new Error('There is no pass.')
  await passes.postpone('a/p', pass)
  expect(pass.pageCalls).toBe(1000)
  expect([...(await passes.load()).keys()]).toEqual(['d/p', 'a/p'])
  await passes.postpone('a/p', pass)
  await passes.postpone('a/p', pass)
  expect(pass.pageCalls).toBe(500)
  await passes.move('a/p', pass, 60, 800)
  expect(pass).toEqual({ watermark: 60, until: 100, pageCalls: 800 })
  const later = new SecondPass(place.store, 'spent_before')
  expect((await later.load()).get('a/p')).toMatchObject({ watermark: 60, until: 100 })
  await later.move('a/p', { watermark: 60, until: 100, pageCalls: 800 }, 100, 800)
  expect([...(await later.load()).keys()]).toEqual(['d/p'])
  expect([...(await new SecondPass(place.store, 'spent_before').load()).keys()]).toEqual(['d/p'])
})
