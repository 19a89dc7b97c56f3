import { expect, test } from '../fixtures'
import { ForeignService, type ForeignVariant, toJson } from './foreign-service'
import { saveConnection, signIn } from './open-foreign'
import { cellsAnnotation } from './print-foreign'

const at = '2026-01-01T00:00:00Z'
const queue = {
  id: 'q1',
  project_id: 'team/app',
  name: 'Tone of answers',
  description: '',
  scorer_refs: ['weave:///team/app/object/tone:abc'],
  created_at: at,
  created_by: 'ann',
  updated_at: at,
  deleted_at: null,
}
const item = {
  id: 'i1',
  project_id: 'team/app',
  queue_id: 'q1',
  call_id: 'c1',
  call_started_at: at,
  call_ended_at: at,
  call_op_name: 'answer',
  call_trace_id: 't1',
  display_fields: [],
  added_by: 'ann',
  annotation_state: 'completed',
  annotator_user_id: 'ann',
  created_at: at,
  created_by: 'ann',
  updated_at: at,
  deleted_at: null,
  position_in_queue: null,
}
const list = { 'POST /annotation_queues/query': { status: 200, body: `${JSON.stringify(queue)}\n` } }
const one = { 'GET /annotation_queues/q1': toJson({ queue }) }
const stats = {
  'POST /annotation_queues/stats': toJson({ stats: [{ queue_id: 'q1', total_items: 1, completed_items: 1 }] }),
}
const items = { 'POST /annotation_queues/q1/items/query': toJson({ items: [item] }) }

/** Services that have some of the routes of queues, and what the pages say of the rest. */
const variants: readonly (ForeignVariant & { says: Record<string, string> })[] = [
  {
    name: 'create and list',
    moreRoutes: list,
    says: {
      queues: 'This service does not count the items of queues',
      queue: 'cannot show a single one: it has no /annotation_queues/…',
      review: 'This service cannot give items to reviewers',
    },
  },
  {
    name: 'create, list and read',
    moreRoutes: { ...list, ...one },
    says: {
      queues: 'This service does not count the items of queues',
      queue: 'This service does not list the items of a queue',
      results: 'This service keeps no results of queues',
      review: 'This service cannot give items to reviewers',
    },
  },
  {
    name: 'all of queues that W&B Weave has',
    moreRoutes: { ...list, ...one, ...stats, ...items },
    says: {
      queues: 'Tone of answers',
      queue: 'This service cannot give out items to review',
      results: 'This service keeps no results of queues',
      review: 'This service cannot give items to reviewers',
    },
  },
]
const paths: Record<string, string> = {
  queues: '/queues',
  queue: '/queues/q1',
  results: '/queues/q1?view=results',
  review: '/queues/q1/review',
}

for (const { says, ...variant } of variants) {
  test(`a service with ${variant.name} for queues: each page says what is missing`, async ({
    page,
    service,
    expectedConsoleErrors,
  }, testInfo) => {
    expectedConsoleErrors.push('Failed to load resource')
    const foreign = await ForeignService.start(variant)
    try {
      await saveConnection(page, foreign.url)
      await page.goto(`${service.url}/costs`)
      expect(await signIn(page)).toBe('ok')
      const outcomes: Record<string, string> = {}
      for (const [name, words] of Object.entries(says)) {
        await page.goto(`${service.url}${paths[name]}`)
        await expect(page.getByRole('main')).toContainText(words)
        // Nothing is offered that such a service does not have.
        for (const button of ['Add items', 'Archive']) await expect(page.getByRole('button', { name: button })).toHaveCount(0)
        await expect(page.getByRole('link', { name: /^Review \d/ })).toHaveCount(0)
        outcomes[name] = 'says so'
      }
      testInfo.annotations.push({ type: cellsAnnotation, description: JSON.stringify([variant.name, outcomes]) })
    } finally {
      foreign.close()
    }
  })
}
