import * as z from 'zod/mini'
import { maxQueueDescriptionLength } from '../../../contract/limits'
import { boundedText } from '../../../contract/schema'
import { Assignees, describeMissingAssignees, type Queue, QueueName, ReviewsPerItem } from '../../../contract/queues'

export type EditValues = Pick<Queue, 'name' | 'description' | 'reviews_per_item' | 'assignees'>

const EditValues = z.object({
  name: QueueName,
  description: boundedText(maxQueueDescriptionLength),
  reviews_per_item: ReviewsPerItem,
  assignees: Assignees,
})

/** What somebody has typed, and not yet saved. */
export const EditDraft = z.object({
  name: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  reviews_per_item: z.exactOptional(z.number()),
  assignees: z.exactOptional(z.array(z.string())),
})

export type EditErrors = Partial<Record<keyof EditValues, string>>

/** What is wrong with the values, by field, as the service would say it. */
export function findEditErrors(values: EditValues): EditErrors {
  const errors: EditErrors = {}
  for (const { path, message } of z.safeParse(EditValues, values).error?.issues ?? []) {
    const [field] = path
    if (field === 'name' || field === 'description' || field === 'reviews_per_item' || field === 'assignees') {
      errors[field] ??= message
    }
  }
  const missing = describeMissingAssignees(values)
  if (missing !== undefined) errors.assignees ??= missing
  return errors
}

/** The fields that differ from the queue: a change of somebody else in another field is not undone. */
export function toChange(values: EditValues, before: EditValues): Partial<EditValues> {
  const name = values.name.trim()
  const isSame =
    values.assignees.length === before.assignees.length && values.assignees.every((each) => before.assignees.includes(each))
  return {
    ...(name !== before.name && { name }),
    ...(values.description !== before.description && { description: values.description }),
    ...(values.reviews_per_item !== before.reviews_per_item && { reviews_per_item: values.reviews_per_item }),
    ...(!isSame && { assignees: values.assignees }),
  }
}
