/** The token counts that are stored, by the names that Weave's clients use in `summary.usage`. */
export const tokenCounts = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
] as const
export type TokenCount = (typeof tokenCounts)[number]

/** Attributes that belong together; a span may have some of them. A key also stands for `<key>.0.role`, `<key>.1.role` ... */
export type PayloadKeys = readonly string[]

/**
 * The attributes and events in which one semantic convention keeps what Spool shows. The first key of a list that a span
 * has counts, and an earlier convention wins over a later one: a span that follows two conventions counts its tokens once.
 */
export type SemanticConvention = {
  readonly model?: readonly string[]
  readonly provider?: readonly string[]
  readonly operation?: readonly string[]
  readonly kind?: readonly string[]
  /** The thread, where turns are marked with `wandb.is_turn`. */
  readonly threadId?: readonly string[]
  /** The thread, where the topmost span of a trace is a turn. */
  readonly conversationId?: readonly string[]
  readonly inputs?: readonly PayloadKeys[]
  readonly output?: readonly PayloadKeys[]
  /** By the key of a payload, the key of its MIME type. */
  readonly mimeType?: Readonly<Record<string, string>>
  /** Events whose attributes stand in for those of the span. */
  readonly payloadEvents?: readonly string[]
  /** Events that are one message each, and its role. */
  readonly messageEvents?: Readonly<Record<string, string>>
  /** Events that are one choice of the output each. */
  readonly choiceEvents?: readonly string[]
  /** In all these conventions `input_tokens` includes tokens read from and written to a cache. */
  readonly tokens?: Partial<Readonly<Record<TokenCount, readonly string[]>>>
}
