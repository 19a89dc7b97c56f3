import type { SemanticConvention } from './semantic-convention'

/** W&B Weave's own attributes. They come first, because a program sets them for Weave on purpose. */
export const weave: SemanticConvention = {
  threadId: ['wandb.thread_id'],
}
