/** A value that JSON can hold. Bytes are base64, integers beyond 2^53 decimal text, NaN and the infinities their names. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Attributes by key, as `repeated KeyValue` holds them; of a repeated key the last value counts. */
export type Attributes = ReadonlyMap<string, Json>
