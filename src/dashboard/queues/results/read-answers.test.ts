// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { connection, stubService } from '../../../testing/render'
import { readAnswers } from './answer-rows'

afterEach(() => {
  vi.unstubAllGlobals()
})

const queue = { id: 'q', project_id: 'acme/support' }
const answer = { scorer: 's', annotator: 'ann', annotation_ref: 'r', created_at: '2026-01-01T00:00:00Z', answer_count: 1 }
const items = Array.from({ length: 1200 }, (_, index) => ({
  item_id: `i${index}`,
  call_id: String(index).padStart(4, '0'),
  disagreements: [],
  answers: [{ ...answer, value: index, feedback_id: `f${index}` }],
}))
const counts = { total_items: 1200, completed_items: 1200, skipped_items: 0, disagreed_items: 0, annotators: [], scorers: [] }

type Asked = { limit: number; after_call_id: string }

async function readAll(toItems: (asked: Asked) => readonly object[]): Promise<number> {
  stubService({
    '/annotation_queues/q/results': (body) => Response.json({ ...counts, items: toItems(body as Asked) }), // as it was just sent
  })
  let count = 0
  const options = { connection, signal: new AbortController().signal }
  for await (const rows of readAnswers(queue, new Map(), options)) count += rows.length
  return count
}

test('all pages are read, each from the call after the last one', async () => {
  const count = await readAll(({ limit, after_call_id: after }) => items.filter(({ call_id: id }) => id > after).slice(0, limit))
  expect(count).toBe(1200)
})

test('a service that knows no pages has sent all it has', async () => {
  expect(await readAll(() => items)).toBe(1200)
})

test('a service that always sends the first page is found out, and nothing is exported twice', async () => {
  await expect(readAll(({ limit }) => items.slice(0, limit))).rejects.toThrow('it ignores after_call_id')
})
