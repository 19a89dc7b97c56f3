/** Turns, threads or spend of the project are being computed for longer than a reader should wait. */
export class DerivationBehindError extends Error {
  override readonly name = 'DerivationBehindError'

  constructor(readonly retryAfterSeconds: number) {
    super('The latest calls of this project are still being processed. Try again in a few seconds.')
  }
}
