/** Too many rows are pending. No row of the request was accepted, so the client can safely send it again. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'

  constructor(readonly retryAfterSeconds: number) {
    super('Too many calls are waiting to be written. Send the request again in a moment.')
  }
}
