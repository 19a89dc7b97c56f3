import type { Problem } from '../../../contract/problem'
import { HttpError, type HttpErrorKind } from '../http-error'

/**
 * To a worker: `start` begins a job whose body came before in `body` messages, `next` continues it, `cancel` ends it early. A
 * message is copied as a whole, so that a body in one message would hold up the event loop.
 */
export type WorkerRequest =
  | { readonly type: 'body'; readonly id: number; readonly part: Uint8Array }
  | { readonly type: 'start'; readonly id: number; readonly name: string; readonly context: unknown }
  | { readonly type: 'next' | 'cancel'; readonly id: number }

/** From a worker, one for each `start` and `next`. */
export type WorkerReply = { readonly id: number } & (
  | { readonly type: 'step'; readonly done: boolean; readonly value: unknown }
  | { readonly type: 'error'; readonly error: ErrorMessage }
)

type ErrorMessage =
  | {
      readonly kind: HttpErrorKind
      readonly problems: readonly Problem[]
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string | undefined }

// Between threads an error loses its class.

export function toErrorMessage(error: unknown): ErrorMessage {
  if (error instanceof HttpError) return { kind: error.kind, problems: error.problems, headers: error.headers }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'bug', message, stack }
}

export function fromErrorMessage(error: ErrorMessage): Error {
  if (error.kind !== 'bug') return new HttpError(error.kind, error.problems, error.headers)
  return Object.assign(new Error(error.message), { stack: error.stack })
}

/**
 * The buffers directly in `value` that can be moved. A view of a part of its buffer is copied: small Buffers of Node share
 * one.
 */
export function findBuffers(value: unknown): ArrayBuffer[] {
  const values: unknown[] = typeof value === 'object' && value !== null ? [value, ...Object.values(value)] : []
  const buffers = values.flatMap((each) =>
    ArrayBuffer.isView(each) && each.buffer instanceof ArrayBuffer && each.byteLength === each.buffer.byteLength
      ? [each.buffer]
      : [],
  )
  return [...new Set(buffers)]
}
