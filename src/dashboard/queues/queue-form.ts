import * as z from 'zod/mini'
import type { Problem } from '../../contract/problem'
import { QueueName } from '../../contract/queues'
import { maxScorerRefs, ScorerRef } from '../../contract/scorer-ref'
import type { QueueDraft } from './queue-draft'

/** One entry of the list. `serverError` says why the server rejected exactly this text; an edit replaces the entry. */
export type FormScorerRef = { text: string; serverError?: string | undefined }

/** The values of the form. The request accepts an empty list of references, the form does not. */
export const QueueFormValues = z.object({
  name: QueueName,
  description: z.string(),
  scorer_refs: z
    .array(z.object({ text: ScorerRef, serverError: z.optional(z.string()) }))
    .check(
      z.minLength(1, 'At least one scorer reference is needed.'),
      z.maxLength(maxScorerRefs, `At most ${maxScorerRefs} scorer references fit into one queue.`),
    ),
  /** Typed into the reference field and not yet added to the list. */
  newRef: z.string(),
})
export type QueueFormValues = z.infer<typeof QueueFormValues>

export function toFormValues({ name, description, scorer_refs }: QueueDraft): QueueFormValues {
  return { name, description, scorer_refs: scorer_refs.map((text) => ({ text })), newRef: '' }
}

export function toDraft({ name, description, scorer_refs }: QueueFormValues, idempotencyKey: string): QueueDraft {
  return { idempotencyKey, name, description, scorer_refs: scorer_refs.map(({ text }) => text) }
}

/** What a 422 response says about the form. `refs` counts from 0 in the list that was sent; `others` belong to no field. */
export type ServerErrors = {
  fields: Partial<Record<'name' | 'description' | 'scorer_refs', string>>
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
    } else if (field === 'name' || field === 'description' || field === 'scorer_refs') {
      errors.fields[field] = join(errors.fields[field], msg)
    } else errors.others.push(field === undefined ? msg : `${field}: ${msg}`)
  }
  return errors
}
