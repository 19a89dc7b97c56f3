import { HttpError } from './http-error'

const mebibyte = 1024 * 1024
/** Of the values in a response that is not streamed: it is in memory as a whole. */
export const maxResponseBytes = 48 * mebibyte
/** Of a response that is not streamed. */
export const maxResponseRows = 200_000

/** Throws 422 for a response that would not fit into memory; `advice` tells the client how to ask for less. */
export function requireResponseFits({ rows, bytes }: { rows: number; bytes: number }, advice: string): void {
  if (bytes <= maxResponseBytes && rows <= maxResponseRows) return
  throw new HttpError('invalid', {
    loc: ['body', 'limit'],
    msg: `The response would have more than ${maxResponseRows} rows or ${maxResponseBytes / mebibyte} MiB. ${advice}`,
    type: 'answer_too_large',
  })
}
