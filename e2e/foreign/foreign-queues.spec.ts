import { expect, test } from '../fixtures'
import { ForeignService, type ForeignVariant, type Reply, toJson } from './foreign-service'
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
const wrongMethod: Reply = { status: 405, body: '{"detail":"Method Not Allowed"}' }
/** How a service responds that has an operation which writes, when it is asked whether it has it. */
const takesItems = { 'GET /annotation_queues/%7Bqueue_id%7D/items': wrongMethod }
const givesItems = { 'GET /annotation_queues/%7Bqueue_id%7D/next': wrongMethod }
const answer = {
  scorer: 'tone',
  annotator: 'ann',
  value: true,
  annotation_ref: 'weave:///team/app/object/tone:abc',
  feedback_id: 'f1',
  created_at: at,
  answer_count: 1,
}
const results = {
  'POST /annotation_queues/q1/results': toJson({
    total_items: 1,
    completed_items: 1,
    skipped_items: 0,
    disagreed_items: 0,
    annotators: [],
    scorers: [],
    items: [{ item_id: 'i1', call_id: 'c1', disagreements: [], answers: [answer] }],
  }),
}
const items = { 'POST /annotation_queues/q1/items/query': toJson({ items: [item] }) }

/** Services that have some of the routes of queues, and what the pages say of the rest. */
type QueueVariant = ForeignVariant & {
  /** What each page says. */
  says: Record<string, string>
  /** What the queue's own page offers and claims of those below. */
  offers?: readonly string[]
}
const variants: readonly QueueVariant[] = [
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
    moreRoutes: { ...list, ...one, ...stats, ...items, ...takesItems },
    offers: ['Add items', 'Edit', 'Delete'],
    says: {
      queues: 'Tone of answers',
      queue: 'This service cannot give out items to review',
      results: 'This service keeps no results of queues',
      review: 'This service cannot give items to reviewers',
    },
  },
  {
    name: 'create, list, read and results',
    moreRoutes: { ...list, ...one, ...results },
    says: {
      queues: 'This service does not count the items of queues',
      queue: 'This service does not list the items of a queue',
      results: '1 of 1 items have all their reviews',
      review: 'This service cannot give items to reviewers',
    },
  },
  {
    name: 'all but events',
    moreRoutes: { ...list, ...one, ...stats, ...items, ...results, ...takesItems, ...givesItems },
    offers: ['Add items', 'Edit', 'Delete', 'Reviews per item', 'People', 'Reviews'],
    says: {
      queues: 'Tone of answers',
      queue: 'Completed',
      results: '1 of 1 items have all their reviews',
    },
  },
]
const controls = ['Add items', 'Archive', 'Edit', 'Delete'] as const
const figures = ['Reviews per item', 'People', 'Reviews'] as const
const paths: Record<string, string> = {
  queues: '/queues',
  queue: '/queues/q1',
  results: '/queues/q1?view=results',
  review: '/queues/q1/review',
}

for (const { says, offers = [], ...variant } of variants) {
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
        // Nothing is offered or claimed that such a service does not have.
        await expect(page.getByRole('link', { name: /^Review \d/ })).toHaveCount(0)
        await expect(page.getByText('all its 1 rows')).toHaveCount(0)
        await expect(page.getByText('Live', { exact: true })).toHaveCount(0)
        // Which thread a call is in is unknown, and looks so.
        if (name === 'queue' && variant.moreRoutes && 'POST /annotation_queues/q1/items/query' in variant.moreRoutes) {
          await expect(page.getByRole('row', { name: /answer/ })).toContainText('—')
        }
        if (name === 'queue' && 'GET /annotation_queues/q1' in (variant.moreRoutes ?? {})) {
          for (const each of controls) {
            await expect.soft(page.getByRole('button', { name: each, exact: true })).toHaveCount(offers.includes(each) ? 1 : 0)
          }
          for (const each of figures) {
            const figure = page.locator(`dt:text-is("${each}"), th :text-is("${each}")`)
            await expect.soft(figure).toHaveCount(offers.includes(each) ? 1 : 0)
          }
        }
        outcomes[name] = 'says so'
      }
      testInfo.annotations.push({ type: cellsAnnotation, description: JSON.stringify([variant.name, outcomes]) })
    } finally {
      foreign.close()
    }
  })
}
