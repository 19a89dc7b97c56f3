/** The token counts that are kept, by the names that Weave's clients use in `summary.usage`. */
export type TokenCount =
  | 'input_tokens'
  | 'output_tokens'
  | 'total_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
  | 'reasoning_tokens'

/** Keys of one text that belong together; those that a span has are taken, a key also standing for `<key>.0.…` and on. */
export type Payload = readonly string[]

/**
 * Under which attributes one convention keeps what is asked for. Of each list the first that a span has counts, and what
 * an earlier family knows is not asked of a later one: so a span that speaks two conventions is not counted twice.
 */
export type Family = {
  readonly model?: readonly string[]
  readonly provider?: readonly string[]
  readonly operation?: readonly string[]
  readonly kind?: readonly string[]
  readonly inputs?: readonly Payload[]
  readonly output?: readonly Payload[]
  /** Tokens read from or written to a cache are part of `input_tokens` in every one of these conventions. */
  readonly tokens?: Partial<Readonly<Record<TokenCount, readonly string[]>>>
}
