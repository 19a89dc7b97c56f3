import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Problem } from '../../../contract/problem'
import { toProblems } from '../../../contract/to-problems'
import { HttpError } from '../../http/http-error'
import type { RequestContext } from '../../http/route'
import { canAccessProject } from '../../http/user'
import type { CallRow } from '../call-row'
import type { CallWriter } from '../call-writer'
import type { RefusedCalls } from '../refused-calls'

export type BatchDeps = { writer: CallWriter; refused: RefusedCalls }

/** A large batch must not block the event loop for all others. */
const itemsBetweenYields = 100

export const unreadableCall = 'The store cannot read this call. Check its texts and times.'

/** The response to the item, as if it had been sent alone, or why it was not stored. */
export type ItemResult<Result> = Result | { error: Problem }

/**
 * Stores the valid items of a batch and returns a result for each item, in order. A batch without any valid item fails (422)
 * with all problems; an empty batch is fine. All items must be of the project `projectId`, where it is given.
 */
export async function storeBatch<Item extends z.core.$ZodType, Result>(
  batch: readonly unknown[],
  item: Item,
  toRow: (item: z.output<Item>) => { row: CallRow; result: Result },
  { user, reader }: Pick<RequestContext, 'user' | 'reader'>,
  { writer, refused }: BatchDeps,
  projectId?: string,
): Promise<{ results: ItemResult<Result>[]; refusedCount: number }> {
  const validate = (input: unknown, index: number) => {
    const loc = ['body', 'batch', String(index)]
    const parsed = z.safeParse(item, input)
    if (!parsed.success) return { problems: toProblems(parsed.error.issues, input, loc) }
    const { row, result } = toRow(parsed.data)
    const problem = findProjectProblem(row.project_id, projectId, canAccessProject(user, row.project_id))
    if (problem) return { problems: [{ ...problem, loc: [...loc, 'project_id'] }] }
    return { row: row.started_at === undefined ? row : { ...row, wb_user_id: user.username }, result, loc }
  }
  const validated: ReturnType<typeof validate>[] = []
  for (const [index, input] of batch.entries()) {
    if (index > 0 && index % itemsBetweenYields === 0) await yieldToEventLoop()
    validated.push(validate(input, index))
  }
  const valid = validated.flatMap((each) => (each.row ? [each] : []))
  const rowErrors = await writer.write(
    valid.map(({ row }) => row),
    reader.share,
  )
  const unreadable = new Set(valid.filter((_, index) => rowErrors[index]))

  const problems: Problem[] = []
  let refusedCount = 0
  const refuse = (found: readonly Problem[]): { error: Problem } => {
    const error = found[0] ?? { loc: ['body', 'batch'], msg: unreadableCall, type: 'value_error' }
    problems.push(...found)
    refused.add(user.username, error)
    refusedCount += 1
    return { error }
  }
  const results = validated.map((each): ItemResult<Result> => {
    if (!each.row) return refuse(each.problems)
    return unreadable.has(each) ? refuse([{ loc: each.loc, msg: unreadableCall, type: 'value_error' }]) : each.result
  })
  if (batch.length > 0 && refusedCount === batch.length) throw new HttpError('invalid', problems)
  return { results, refusedCount }
}

function findProjectProblem(
  projectId: string,
  expected: string | undefined,
  canAccess: boolean,
): Omit<Problem, 'loc'> | undefined {
  if (expected !== undefined && projectId !== expected) {
    return { msg: `Must be the project of the path, '${expected}'.`, type: 'value_error' }
  }
  return canAccess ? undefined : { msg: 'The user has no access to this project.', type: 'forbidden' }
}
