import type { MessageFields } from './message'

/** One of OTLP's encodings; `Encoded` is a message that has not been decoded. Both methods throw an `InvalidOtlpError`. */
export type Encoding<Encoded> = {
  /** The messages that a field holds, still encoded, one after the other: a list, or at most one. */
  messagesIn<Value>(owner: Encoded, message: MessageFields<Value>, field: keyof Value): Iterable<Encoded>
  decode<Value>(encoded: Encoded, message: MessageFields<Value>): Value
}
