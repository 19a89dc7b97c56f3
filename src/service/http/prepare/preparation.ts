import type { BodyParts } from '../body-parts'

/** What a preparation gets besides its arguments. */
export type PrepareTools = { readonly newId: () => string }

/**
 * The work on a body that grows with its size: parsing, validating, serialising. A large body is prepared in a worker
 * thread, so a preparation depends on its arguments alone, and `context`, parts and result are plain data. Buffers that stand
 * directly in a part or a result are moved between the threads, not copied.
 *
 * It yields the parts that are written one after the other, so that a large body never is in memory in two forms. Throws
 * an `HttpError`.
 */
export type Preparation<Context, Part, Result> = {
  readonly name: string
  readonly prepare: (body: Uint8Array<ArrayBuffer>, context: Context, tools: PrepareTools) => Generator<Part, Result, undefined>
}

/** A preparation without parts. */
export function preparation<Context, Result>(
  name: string,
  prepare: (body: Uint8Array<ArrayBuffer>, context: Context, tools: PrepareTools) => Result,
): Preparation<Context, never, Result> {
  return {
    name,
    *prepare(body, context, tools) {
      yield* []
      return prepare(body, context, tools)
    },
  }
}

/** Any preparation: the contexts that it takes are not known here. */
export type AnyPreparation = Preparation<never, unknown, unknown>

/** Whose body is prepared, and until when. */
export type PrepareOptions = { readonly user: { readonly username: string }; readonly signal: AbortSignal }

export type Preparer = {
  prepare<Context, Part, Result>(
    preparation: Preparation<Context, Part, Result>,
    body: BodyParts,
    context: Context,
    options: PrepareOptions,
  ): AsyncGenerator<Part, Result, undefined>
}

/** The result of a preparation without parts. */
export async function readResult<Result>(steps: AsyncGenerator<never, Result, undefined>): Promise<Result> {
  const step = await steps.next()
  if (!step.done) throw new Error('The preparation has parts.')
  return step.value
}

/** Handles the parts one after the other, and returns the result. */
export async function forEachPart<Part, Result>(
  steps: AsyncGenerator<Part, Result, undefined>,
  handle: (part: Part) => Promise<void>,
): Promise<Result> {
  let result: { value: Result } | undefined
  async function* parts() {
    result = { value: yield* steps }
  }
  // The loop ends the preparation where `handle` throws.
  for await (const part of parts()) await handle(part)
  if (!result) throw new Error('The preparation ended without a result.')
  return result.value
}
