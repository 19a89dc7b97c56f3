import * as z from 'zod/mini'
import type { Problem } from '../../contract/problem'
import { Assignee, describeMissingAssignees, QueueName, ReviewsPerItem } from '../../contract/queues'
import { maxScorerRefs, ScorerRef } from '../../contract/scorer-ref'
import { maxAssignees } from '../../contract/limits'
import type { ReviewSettings } from './detail/review-settings'
import type { QueueDraft } from './queue-draft'

/** The values of the form. The request accepts an empty list of references, the form does not. */
export const QueueFormValues = z
  .object({
    name: QueueName,
    description: z.string(),
    reviews_per_item: ReviewsPerItem,
    assignees: z.array(Assignee).check(z.maxLength(maxAssignees, `At most ${maxAssignees} people can be assigned.`)),
    scorer_refs: z
      .array(z.object({ text: ScorerRef, serverError: z.optional(z.string()) }))
      .check(
        z.minLength(1, 'At least one scorer reference is needed.'),
        z.maxLength(maxScorerRefs, `At most ${maxScorerRefs} scorer references fit into one queue.`),
      ),
    /** Typed into the reference field and not yet added to the list. */
    newRef: z.string(),
  })
  .check(
    z.refine<ReviewSettings>((values) => describeMissingAssignees(values) === undefined, {
      path: ['assignees'],
      error: ({ input }) => describeMissingAssignees(input as ReviewSettings), // zod types a check's own input as unknown
    }),
  )
export type QueueFormValues = z.infer<typeof QueueFormValues>

export function toFormValues({ name, description, scorer_refs, reviews_per_item, assignees }: QueueDraft): QueueFormValues {
  return { name, description, reviews_per_item, assignees, scorer_refs: scorer_refs.map((text) => ({ text })), newRef: '' }
}

export function toDraft(values: QueueFormValues, idempotencyKey: string): QueueDraft {
  const { name, description, reviews_per_item, assignees, scorer_refs } = values
  return { idempotencyKey, name, description, reviews_per_item, assignees, scorer_refs: scorer_refs.map(({ text }) => text) }
}

/** The fields of the form that a server may say something about. */
export const serverFields = ['name', 'description', 'scorer_refs', 'reviews_per_item', 'assignees'] as const
type ServerField = (typeof serverFields)[number]

/** What a 422 response says about the form. `refs` counts from 0 in the list that was sent; `others` belong to no field. */
export type ServerErrors = {
  fields: Partial<Record<ServerField, string>>
  refs: ReadonlyMap<number, string>
  others: string[]
}

/** Assigns each problem to the field that its `loc` names. */
export function toServerErrors(problems: readonly Problem[]): ServerErrors {
  const refs = new Map<number, string>()
  const errors: ServerErrors = { fields: {}, refs, others: [] }
  const join = (before: string | undefined, message: string) => (before === undefined ? message : `${before} ${message}`)
  for (const { loc, msg } of problems) {
    const [place, field, index] = loc
    if (place !== 'body') errors.others.push(msg)
    else if (field === 'scorer_refs' && index !== undefined && /^\d+$/.test(index)) {
      refs.set(Number(index), join(refs.get(Number(index)), msg))
    } else {
      const known = serverFields.find((name) => name === field)
      if (known !== undefined) errors.fields[known] = join(errors.fields[known], msg)
      else errors.others.push(field === undefined ? msg : `${field}: ${msg}`)
    }
  }
  return errors
}
