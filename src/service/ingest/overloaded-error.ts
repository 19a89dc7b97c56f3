/** More is waiting to be written than may wait. Nothing of the request was taken; sending it again later is safe. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'

  constructor(readonly retryAfterSeconds: number) {
    super('Too much is waiting to be written. Send it again in a moment.')
  }
}
