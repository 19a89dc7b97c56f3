import type { AttributeReader } from '../attributes/attribute-reader'
import type { Json } from '../attributes/attributes'

/**
 * Where a value is: the key of an attribute, or a function where a key is not enough. The function is called for spans that
 * have an attribute at, below or above one of `keys`, and returns undefined where the span does not follow its convention.
 */
export type ValueSource =
  | string
  | { readonly keys: readonly string[]; readonly read: (span: AttributeReader) => Json | undefined }

/** A value within an attribute that holds a map or its JSON text. */
export function within(key: string, path: string): ValueSource {
  return { keys: [key], read: (span) => span.within(key, path) }
}

/** The token counts that are stored, by the names that Weave's clients use in `summary.usage`. */
export const tokenCounts = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
  'input_audio_tokens',
  'output_audio_tokens',
] as const
export type TokenCount = (typeof tokenCounts)[number]

/**
 * What a span did, as texts. They are stored in a call's `attributes`, by these names: `model`, `provider`, `system`,
 * `operation`, `kind` and `agent` are where W&B Weave's OpenTelemetry ingestion puts them, `agent_id`, `response_id`,
 * `tool` and `tool_call_id` are named after its columns, `user` is the end user.
 */
export const headings = [
  'model',
  'provider',
  'system',
  'operation',
  'kind',
  'agent',
  'agent_id',
  'user',
  'response_id',
  'tool',
  'tool_call_id',
] as const
export type Heading = (typeof headings)[number]

/**
 * Attributes that belong together; a span may have some of them. A key also stands for `<key>.0.role`, `<key>.1.role` ... A
 * function chooses the keys where they are not known beforehand; it is called for spans that have one of `keys`.
 */
export type PayloadKeys =
  | readonly string[]
  | { readonly keys: readonly string[]; readonly choose: (span: AttributeReader) => readonly string[] }

/**
 * The attributes and events in which one semantic convention keeps what Spool shows. The first source of a list that has a
 * value counts, and an earlier convention wins over a later one: a span that follows two conventions counts its tokens once.
 *
 * An attribute that holds a map is the same as one attribute for each of its entries, with dotted keys.
 */
export type SemanticConvention = { readonly [Name in Heading]?: readonly ValueSource[] } & {
  /** The thread, where turns are marked with `wandb.is_turn`. */
  readonly threadId?: readonly ValueSource[]
  /** The thread, where the topmost span of a trace is a turn: conversations and sessions. */
  readonly conversationId?: readonly ValueSource[]
  /** Why the model stopped: a list, or one text. Stored as the list `finish_reasons` in a call's `attributes`. */
  readonly finishReasons?: readonly ValueSource[]
  /** Parameters of the request by the names of OpenTelemetry (`max_tokens`). Stored in `model_parameters` of `attributes`. */
  readonly modelParameters?: Readonly<Record<string, readonly ValueSource[]>>
  /** Attributes that hold all parameters, as a map, as JSON text or as `<key>.temperature`, `<key>.seed` ... */
  readonly modelParameterMaps?: readonly string[]
  /** What a span did in words, where its name is only a template for that. Shown in place of the name. */
  readonly displayName?: readonly ValueSource[]
  /** What went wrong, where a span says so in attributes. A status of OK outweighs it. */
  readonly error?: readonly ValueSource[]
  readonly inputs?: readonly PayloadKeys[]
  /** Tool calls belong here too, beside the text of a response. */
  readonly output?: readonly PayloadKeys[]
  /** By the key of a payload, the key of its MIME type. */
  readonly mimeType?: Readonly<Record<string, string>>
  /** Events whose attributes stand in for those of the span. */
  readonly payloadEvents?: readonly string[]
  /** Events that are one message each, and its role. */
  readonly messageEvents?: Readonly<Record<string, string>>
  /** Events that are one choice of the output each. */
  readonly choiceEvents?: readonly string[]
  /** Attributes that hold a list of such events, as maps or JSON text; `event.name` of each is its name. */
  readonly messageLists?: readonly string[]
  /** `input_tokens` includes cached tokens and `output_tokens` reasoning, unless the functions below say otherwise. */
  readonly tokens?: Partial<Readonly<Record<TokenCount, readonly ValueSource[]>>>
  /** Whether this span's `input_tokens` leave out the tokens that were read from and written to a cache. */
  readonly cachedBeside?: (span: AttributeReader) => boolean
  /** Whether this span's `output_tokens` leave out the tokens of reasoning. */
  readonly reasoningBeside?: (span: AttributeReader) => boolean
}
