import { Refusal } from './refusal'

const mebibyte = 1024 * 1024
/** Values in one answer that is not streamed: it is held whole while it is sent. */
export const mostAnswerBytes = 48 * mebibyte
/** Rows in one such answer. */
export const mostAnswerRows = 200_000

/** Refuses (422) an answer that would not fit the memory; `advice` is how to ask for less. */
export function requireFits({ rows, bytes }: { rows: number; bytes: number }, advice: string): void {
  if (bytes <= mostAnswerBytes && rows <= mostAnswerRows) return
  throw new Refusal('invalid', {
    loc: ['body', 'limit'],
    msg: `The answer would have more than ${mostAnswerRows} rows or ${mostAnswerBytes / mebibyte} MiB. ${advice}`,
    type: 'answer_too_large',
  })
}
