import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { fieldKinds } from './field-schema'
import { Instant } from './instant'
import { maxIdLength } from './limits'
import { ProjectId } from './project-id'
import { Count, strictRequest } from './request'
import { boundedText, optional } from './schema'

const ValueCount = z.object({ value: z.unknown(), count: z.number() })

/** How far people agree who answered for the same item. Null where it is not defined, such as alpha where all answers are equal. */
const Agreement = z.object({
  /** Items with two answers or more. */
  item_count: z.number(),
  /** Of the pairs of answers to one item, averaged over the items. 0 to 100. */
  percent: z.number(),
  /** Where exactly two people answered. */
  cohens_kappa: z.nullable(z.number()),
  krippendorffs_alpha: z.object({
    nominal: z.nullable(z.number()),
    /** Of numbers only. */
    ordinal: z.nullable(z.number()),
    interval: z.nullable(z.number()),
  }),
})
export type Agreement = z.infer<typeof Agreement>

const ScorerResult = z.object({
  /** The name of its annotation spec. */
  name: z.string(),
  kind: z.enum(fieldKinds),
  /** The versions that people answered for, most answers first. */
  versions: z.array(z.object({ ref: z.string(), answer_count: z.number() })),
  answer_count: z.number(),
  /** Items with an answer. */
  item_count: z.number(),
  /** The most frequent first, at most 100; none of texts and lists. */
  values: z.array(ValueCount),
  /** Of numbers, else null. */
  mean: z.nullable(z.number()),
  median: z._default(z.nullable(z.number()), null),
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
  annotators: z.array(
    z.object({ annotator: z.string(), answer_count: z.number(), values: z.array(ValueCount), mean: z.nullable(z.number()) }),
  ),
  /** Null of texts and lists, and where no item has two answers. */
  agreement: z.nullable(Agreement),
})
export type ScorerResult = z.infer<typeof ScorerResult>

const ItemResult = z.object({
  item_id: z.string(),
  call_id: z.string(),
  /** The scorers that its reviewers answered differently. */
  disagreements: z.array(z.string()),
  answers: z.array(
    z.object({
      scorer: z.string(),
      annotator: z.string(),
      value: z.unknown(),
      annotation_ref: z.string(),
      /** That of the answer that counts. */
      feedback_id: z.string(),
      created_at: Instant,
      /** How often the person answered: 2 for one correction. */
      answer_count: z.number(),
    }),
  ),
})

/**
 * What people answered. An answer counts when its author has completed the item; of several by one person the last one. Texts
 * and lists are never compared. `items` are those with answers, where people disagree most first, then in the queue's order;
 * `limit` and `offset` are for them. With `after_call_id` they are in the order of their calls' ids, from the one after this id,
 * and '' is before all: pages that are read so have each item once, whatever people answer meanwhile. A Spool extension.
 */
export const readQueueResults = defineEndpoint({
  path: '/annotation_queues/{queue_id}/results',
  request: strictRequest({
    queue_id: boundedText(maxIdLength),
    project_id: ProjectId,
    limit: Count,
    offset: Count,
    after_call_id: optional(boundedText(maxIdLength)),
  }),
  response: z.object({
    total_items: z.number(),
    completed_items: z.number(),
    skipped_items: z.number(),
    disagreed_items: z.number(),
    annotators: z.array(
      z.object({
        annotator: z.string(),
        completed_count: z.number(),
        skipped_count: z.number(),
        last_reviewed_at: Instant,
        /** From when the person first had an item to its completion; null where the items were not leased first. */
        median_review_ms: z._default(z.nullable(z.number()), null),
      }),
    ),
    /** Those of the queue in its order, then others that were answered with it. */
    scorers: z.array(ScorerResult),
    items: z.array(ItemResult),
  }),
  places: { queue_id: 'path' },
})
export type QueueResults = z.infer<typeof readQueueResults.response>
