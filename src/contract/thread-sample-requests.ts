import * as z from 'zod/mini'
import { maxItemsPerQueue, maxSeedLength } from './limits'
import { ProjectId } from './project-id'
import { strictRequest } from './request'
import { boundedText, formatLimit, optional, refineAs } from './schema'
import { ThreadFilter } from './thread-search-requests'

/** Which turns of each thread are meant. */
export const turnChoices = ['all', 'last', 'slowest', 'failed'] as const
export type TurnChoice = (typeof turnChoices)[number]

/**
 * What a sample has equal shares of. `slowest`: the slowest tenth of the finished turns, rounded up, and the others; of turns that
 * took equally long, those that started first are in the tenth. `errors` and `model`: turns of a thread that start in the same
 * microsecond are in the stratum of all their calls together.
 */
export const strata = ['model', 'slowest', 'errors'] as const
export type Strata = (typeof strata)[number]

const Sample = z.strictObject({
  size: z
    .number()
    .check(
      refineAs<number>(
        'value_error',
        (size) => Number.isInteger(size) && size >= 0 && size <= maxItemsPerQueue,
        `Must be a whole number from 0 to ${formatLimit(maxItemsPerQueue)}. 0 only counts.`,
      ),
    ),
  seed: boundedText(maxSeedLength),
  stratify_by: optional(z.enum(strata)),
})

export const SampleThreads = strictRequest({
  project_id: ProjectId,
  /** As in `/threads/search`. Only turns that start between its bounds are meant. */
  filter: optional(ThreadFilter),
  /**
   * `all` by default. `last` is the turn that started last; `slowest` is a finished one; `failed` are all turns in which a call
   * failed. A thread may have none of these. Which turn a call is of is known by its thread and the start of the turn: where turns
   * of a thread start in the same microsecond, or a call of no turn starts with one, its failure counts for each of these turns.
   */
  turns: optional(z.enum(turnChoices)),
  /** Without it: the turns by thread and start. */
  sample: optional(Sample),
})
