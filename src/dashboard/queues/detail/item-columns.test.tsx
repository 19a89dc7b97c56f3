import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QueueItem } from '../../../contract/queue-items'
import { itemColumns } from './item-columns'

const time = '2026-01-01T00:00:00Z'
const base = {
  id: 'i',
  project_id: 'p',
  queue_id: 'q',
  call_id: 'c',
  call_op_name: 'answer',
  call_trace_id: 't',
  call_started_at: time,
  display_fields: [],
  annotation_state: 'in_progress',
  created_by: 'ann',
  created_at: time,
  updated_at: time,
}
const reviews = (states: Record<string, string>) =>
  Object.entries(states).map(([annotator, state]) => ({ annotator, state, updated_at: time }))
const display = { zone: 'utc' as const, now: 0, places: new Map(), arePlacesRead: true, reviewsPerItem: 2 }

function show(fields: object, id: string) {
  const column = itemColumns.find((each) => each.id === id)
  const item = QueueItem.parse({ ...base, ...fields })
  const markup = renderToStaticMarkup(<>{column?.cell(item, display)}</>)
  return { text: markup.replaceAll(/<[^>]*>/g, ''), exported: column?.exportValue?.(item, display) }
}

test('an item tells who reviewed it, and who skipped it', () => {
  const item = { reviews: reviews({ admin: 'skipped', kim: 'completed', lee: 'completed' }), required_reviews: 2 }
  expect(show(item, 'annotator')).toEqual({ text: 'kim, lee · admin skipped', exported: 'kim lee' })
  expect(show(item, 'reviews')).toEqual({ text: '2 of 2', exported: 2 })
  expect(show(item, 'skipped_by').exported).toBe('admin')
})

test.each([
  ['nobody did anything', {}, '—'],
  ['one skipped', { reviews: reviews({ admin: 'skipped' }) }, 'admin skipped'],
  ['one started', { reviews: reviews({ kim: 'in_progress' }) }, 'kim started'],
  [
    'one has it again after another skipped it',
    { reviews: reviews({ admin: 'skipped', kim: 'in_progress' }), lease: { annotator: 'kim', expires_at: time } },
    'kim ● now · admin skipped',
  ],
  ['a service names only the last person', { annotator_user_id: 'lee', annotation_state: 'skipped' }, 'lee skipped'],
  ['a service names who completed it', { annotator_user_id: 'lee', annotation_state: 'completed' }, 'lee'],
])('where %s, it says so', (_, fields, text) => {
  expect(show(fields, 'annotator').text).toBe(text)
})
