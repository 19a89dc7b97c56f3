/** A message that cannot be decoded, or a span that cannot be stored. The text says what is expected. */
export class InvalidOtlpError extends Error {
  override readonly name = 'InvalidOtlpError'
  /** The field of the outermost message in which the problem lies, where the encoding knows it. */
  fieldName: string | undefined
}
