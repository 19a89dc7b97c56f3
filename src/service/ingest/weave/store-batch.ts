import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** After so many items others have their turn: a large batch must not keep everyone waiting. */
const itemsPerTurn = 100

/** What the item alone would have been answered, or why it was refused. */
export type ItemAnswer<Answer> = Answer | { error: Problem }

/**
 * Stores the good items of a batch and answers in order, `error` in a bad one's place. A batch with no good item is
 * refused (422) with every problem; an empty one is fine. `projectId`, where given, is the only project an item may name.
 */
export async function storeBatch<Item extends z.core.$ZodType, Answer>(
  batch: readonly unknown[],
  item: Item,
  read: (item: z.output<Item>) => { row: CallRow; answer: Answer },
  { user }: Pick<RequestContext, 'user'>,
  { writer, refused }: BatchDeps,
  projectId?: string,
): Promise<{ answers: ItemAnswer<Answer>[]; refusedCount: number }> {
  const judge = (input: unknown, index: number) => {
    const loc = ['body', 'batch', String(index)]
    const parsed = z.safeParse(item, input)
    if (!parsed.success) return { problems: toProblems(parsed.error.issues, input, loc) }
    const { row, answer } = read(parsed.data)
    const problem = projectProblem(row.project_id, projectId, canAccessProject(user, row.project_id), loc)
    return problem
      ? { problems: [problem] }
      : { row: row.started_at === undefined ? row : { ...row, wb_user_id: user.username }, answer, loc }
  }
  const judged: ReturnType<typeof judge>[] = []
  for (const [index, input] of batch.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn()
    judged.push(judge(input, index))
  }
  const stored = judged.flatMap((each) => (each.row ? [each] : []))
  const refusals = await writer.write(stored.map(({ row }) => row))
  const refusalOf = new Map(stored.map((each, index) => [each, refusals[index]]))
  const problems: Problem[] = []
  let refusedCount = 0
  const refuse = (found: readonly Problem[]): { error: Problem } => {
    const error = found[0] ?? { loc: ['body', 'batch'], msg: unreadable, type: 'value_error' }
    problems.push(...found)
    refused.add(user.username, error)
    refusedCount += 1
    return { error }
  }
  const answers = judged.map((each): ItemAnswer<Answer> => {
    if (!each.row) return refuse(each.problems)
    return refusalOf.get(each) ? refuse([{ loc: each.loc, msg: unreadable, type: 'value_error' }]) : each.answer
  })
  if (batch.length > 0 && refusedCount === batch.length) throw new HttpError('invalid', problems)
  return { answers, refusedCount }
}

export const unreadable = 'The store cannot read this call. Check its texts and times.'

function projectProblem(
  own: string,
  expected: string | undefined,
  isAllowed: boolean,
  loc: readonly string[],
): Problem | undefined {
  if (expected !== undefined && own !== expected) {
    return {
      loc: [...loc, 'project_id'],
      msg: `The item is of another project than the path ('${expected}').`,
      type: 'value_error',
    }
  }
  return isAllowed
    ? undefined
    : { loc: [...loc, 'project_id'], msg: 'The user has no access to this project.', type: 'forbidden' }
}
