import { DerivationBehindError } from './derive/derivation-behind-error'
import { HttpError } from './http/http-error'
import { OverloadedError } from './ingest/overloaded-error'
import { StoreError } from './store/store-error'

/** What a client is told of an error of the store or the ingest; undefined for a bug of the service. */
export function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof OverloadedError) {
    return new HttpError(
      'too_many_requests',
      { loc: [], msg: error.message, type: 'overloaded' },
      { 'retry-after': String(error.retryAfterSeconds) },
    )
  }
  if (error instanceof DerivationBehindError) {
    return new HttpError(
      'unavailable',
      { loc: [], msg: error.message, type: 'derivation_behind' },
      { 'retry-after': String(error.retryAfterSeconds) },
    )
  }
  if (!(error instanceof StoreError)) return undefined
  switch (error.kind) {
    case 'timed_out':
      return new HttpError('timed_out', {
        loc: [],
        msg: 'The store took too long to respond. Use a filter, a shorter time window or a smaller limit.',
        type: 'timed_out',
      })
    case 'overloaded':
      return new HttpError(
        'too_many_requests',
        { loc: [], msg: 'Too many of your requests are waiting for the store. Send fewer at once.', type: 'overloaded' },
        { 'retry-after': '2' },
      )
    case 'busy':
      return new HttpError(
        'unavailable',
        { loc: [], msg: 'The store was busy with other requests for too long. Try again in a few seconds.', type: 'busy' },
        { 'retry-after': '5' },
      )
    case 'closed':
    case 'unavailable':
      return new HttpError(
        'unavailable',
        { loc: [], msg: error.clientMessage ?? 'The store is unavailable. Try again in a few seconds.', type: 'unavailable' },
        { 'retry-after': error.clientMessage === undefined ? '5' : '30' },
      )
    case 'too_complex':
      return new HttpError('invalid', {
        loc: ['body', 'query'],
        msg: 'The query is too complex: its conditions become too much SQL. Use fewer of them, or $in for values of one field.',
        type: 'query_too_complex',
      })
    case 'too_much_memory':
      return new HttpError('invalid', {
        loc: ['body'],
        msg: 'The request needs more memory than one request may take. Use a filter, a shorter time window or fewer conditions.',
        type: 'too_much_memory',
      })
    case 'aborted':
    case 'bad_row':
    case 'failed':
      return undefined
  }
}
