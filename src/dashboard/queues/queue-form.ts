import * as z from 'zod/mini'
import { createQueue, QueueName } from '../../contract/queues'
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

/** The request as it is sent, or undefined while the form does not hold one. */
export function requestOf(form: QueueForm, projectId: string): z.output<(typeof createQueue)['request']> | undefined {
  return QueueForm.safeParse(form).success ? createQueue.request.safeParse({ project_id: projectId, ...form }).data : undefined
}
