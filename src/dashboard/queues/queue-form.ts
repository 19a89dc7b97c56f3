import * as z from 'zod/mini'
import { QueueName } from '../../contract/queues'
import { maxScorerRefs, ScorerRef } from '../../contract/scorer-ref'

/** What the form asks for: the wire's request, and at least one reference, which the wire does not insist on. */
export const QueueForm = z.object({
  name: QueueName,
  description: z.string(),
  scorer_refs: z
    .array(ScorerRef)
    .check(
      z.minLength(1, 'At least one scorer reference is needed.'),
      z.maxLength(maxScorerRefs, `At most ${maxScorerRefs} scorer references fit into one queue.`),
    ),
})
export type QueueForm = z.infer<typeof QueueForm>
