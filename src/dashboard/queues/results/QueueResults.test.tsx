// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Queue } from '../../../contract/queues'
import { click, connection, render, stubService, waitFor } from '../../../testing/render'
import { queueToFill } from '../../table/add-to-queue/queue-to-fill'
import { QueueResults } from './QueueResults'

afterEach(() => {
  document.body.innerHTML = ''
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const ref = 'weave:///acme/support/object/Tone:digest0'
const queue: Queue = {
  id: 'q1',
  project_id: 'acme/support',
  name: 'Refunds',
  description: '',
  scorer_refs: [ref],
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'ann',
  updated_at: '2026-01-01T00:00:00Z',
  deleted_at: null,
  reviews_per_item: 1,
  assignees: [],
}
const noResults = {
  total_items: 3,
  completed_items: 0,
  skipped_items: 0,
  disagreed_items: 0,
  annotators: [],
  scorers: [],
  items: [],
}

async function renderResults(results: object, change: Partial<Queue> = {}, more: Parameters<typeof stubService>[0] = {}) {
  stubService({ '/annotation_queues/q1/results': () => Response.json({ ...noResults, ...results }), ...more })
  const { host } = await render(<QueueResults queue={{ ...queue, ...change }} />)
  await waitFor(() => expect(host.querySelector('output')).toBeNull())
  return host
}

test.each([
  ['has open items', {}, {}, 'Review the items', '/queues/q1/review'],
  ['has no items', { total_items: 0 }, {}, 'Choose turns in Threads', '/threads'],
  ['has no scorers', {}, { scorer_refs: [] }, 'Add scorers', '/queues/q1?view=scorers'],
  ['has no open items', { completed_items: 1, skipped_items: 2 }, {}, 'Show the items', '/queues/q1'],
])('without answers a queue that %s leads to the next step', async (_, results, change, label, href) => {
  const host = await renderResults(results, change)
  expect(host.textContent).toContain('No results yet.')
  expect(host.querySelectorAll('section')).toHaveLength(0)
  const [link, ...others] = host.querySelectorAll('a')
  expect([link?.textContent, link?.getAttribute('href'), others.length]).toEqual([label, href, 0])
})

test('the queue whose results lead to the threads is the one that turns are chosen for', async () => {
  const host = await renderResults({ total_items: 0 }, {})
  expect(queueToFill(connection).read()).toBeUndefined()
  await click(host.querySelector('a'))
  expect(queueToFill(connection).read()).toEqual({ id: 'q1', name: 'Refunds' })
})

test('a person has the same column in every item, and an answer its lines', async () => {
  const answer = (annotator: string, value: unknown) => ({
    annotator,
    value,
    scorer: 'tone',
    annotation_ref: ref,
    feedback_id: annotator,
    created_at: '2026-01-02T00:00:00Z',
    answer_count: 1,
  })
  const item = (id: string, ...answers: object[]) => ({ item_id: id, call_id: id, disagreements: [], answers })
  const items = [item('one', answer('kim', 'This is slow.\nSecond line')), item('two', answer('ann', 'ok'), answer('lee', 'no'))]
  const host = await renderResults({ items })
  const cells = [...host.querySelectorAll('table')].map((table) =>
    [...table.querySelectorAll('tr')].map((row) => [...row.children].map(({ textContent }) => textContent)),
  )
  expect(cells).toEqual([
    [
      ['Scorer', 'ann', 'kim', 'lee'],
      ['tone', '—', 'This is slow.\nSecond line', '—'],
    ],
    [
      ['Scorer', 'ann', 'kim', 'lee'],
      ['tone', 'ok', '—', 'no'],
    ],
  ])
})

test('a scorer is called what its spec calls it, with the name in its reference beside it', async () => {
  const scorer = {
    name: 'tone',
    kind: 'boolean',
    versions: [{ ref, answer_count: 1 }],
    answer_count: 1,
    item_count: 1,
    values: [{ value: true, count: 1 }],
    mean: null,
    median: null,
    min: null,
    max: null,
    annotators: [],
    agreement: null,
  }
  const answer = {
    annotator: 'kim',
    value: true,
    scorer: 'tone',
    annotation_ref: ref,
    feedback_id: 'f',
    created_at: '2026-01-02T00:00:00Z',
    answer_count: 1,
  }
  const results = { scorers: [scorer], items: [{ item_id: 'one', call_id: 'one', disagreements: [], answers: [answer] }] }
  const spec = { _class_name: 'AnnotationSpec', name: 'Is the tone right?', field_schema: { type: 'boolean' } }
  const host = await renderResults(results, {}, { '/refs/read_batch': () => Response.json({ vals: [spec] }) })
  await waitFor(() => expect(host.querySelector('h2')?.textContent).toBe('Is the tone right?'))
  expect(host.querySelector('section')?.getAttribute('aria-label')).toBe('Scorer Is the tone right?')
  expect(host.querySelector('section p')?.textContent).toMatch(/^tone · yes or no/)
  expect(host.querySelector('.item-table tbody th')?.textContent).toBe('Is the tone right?')
})
