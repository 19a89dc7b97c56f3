/** Turns or threads of the project are being computed for longer than a reader should wait. */
export class DerivationBehindError extends Error {
  override readonly name = 'DerivationBehindError'

  constructor(readonly retryAfterSeconds: number) {
    super('Turns of this project are still being computed. Try again in a few seconds.')
  }
}
