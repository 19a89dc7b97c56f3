import { expect, onTestFinished, test } from 'vitest'
import { microsecondsToEngineTime } from '../store/engine-time'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { openInsertClock, writeWatermark } from './watermark'

const second = 1_000_000
const watermark = Date.UTC(2026, 0, 1) * 1000

test('the clock of inserts is ahead of the watermark, and of calls after it that came by a later clock', async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  const insertCallAt = (inserted_at: number) =>
    store.insert('calls', [
      { project_id: 'acme/support', id: `call-${inserted_at}`, inserted_at: microsecondsToEngineTime(inserted_at) },
    ])
  const openClock = async () => (await openInsertClock(store, () => 0)).next()

  await writeWatermark(store, watermark)
  await insertCallAt(watermark - 60 * second)
  expect(await openClock()).toBeGreaterThan(watermark)
  expect(await openClock()).toBeLessThan(watermark + second)
  await insertCallAt(watermark + 60 * second)
  expect(await openClock()).toBeGreaterThan(watermark + 60 * second)
})

test('the clock of inserts is ahead of what is derived from traces, however far a clock was set back', async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  const openClock = async () => (await openInsertClock(store, () => 0)).next()
  await writeWatermark(store, watermark)
  await store.insert('spent_before', [{ name: '', watermark: watermark + 10 * second }])
  expect(await openClock()).toBeGreaterThan(watermark + 10 * second)
  await store.insert('searched_before', [{ name: 'acme/support', watermark: watermark + 20 * second }])
  expect(await openClock()).toBeGreaterThan(watermark + 20 * second)
})
