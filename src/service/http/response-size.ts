import { HttpError } from './http-error'

const mebibyte = 1024 * 1024
/** Values in one answer that is not streamed: it is held whole while it is sent. */
export const maxResponseBytes = 48 * mebibyte
/** Rows in one such answer. */
export const maxResponseRows = 200_000

/** Refuses (422) an answer that would not fit the memory; `advice` is how to ask for less. */
export function requireResponseFits({ rows, bytes }: { rows: number; bytes: number }, advice: string): void {
  if (bytes <= maxResponseBytes && rows <= maxResponseRows) return
  throw new HttpError('invalid', {
    loc: ['body', 'limit'],
    msg: `The answer would have more than ${maxResponseRows} rows or ${maxResponseBytes / mebibyte} MiB. ${advice}`,
    type: 'answer_too_large',
  })
}
