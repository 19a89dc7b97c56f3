import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

test('an administrator sees the refused items of batches, other users get 403', async () => {
  await service.post('/call/upsert_batch', { batch: [{ mode: 'end' }] })
  const response = await service.send('/calls/refused')
  expect(await response.json()).toMatchObject({
    count: 1,
    latest: [{ username: 'admin', problem: { type: 'missing' }, at: expect.stringMatching(/Z$/) as string }],
  })
  expect((await service.send('/calls/refused', {}, reviewer)).status).toBe(403)
})
