import * as z from 'zod/mini'
import { CallPart, CompleteCall, completeCalls, upsertCalls } from '../../../contract/call-writes'
import { compileSchema } from '../../../contract/compile-schema'
import type { Problem } from '../../../contract/problem'
import { toProblems } from '../../../contract/to-problems'
import { parseBody } from '../../http/incoming-request'
import { DeepBodyError, maxBodyDepth } from '../../http/parse-json'
import type { Preparation } from '../../http/prepare/preparation'
import { canAccessProject, type User } from '../../http/user'
import type { CallRow } from '../call-row'
import { type CallPortion, CallPortionBuilder } from '../call-portion'
import { type CallContext, readPathProject } from './prepare-calls'
import { completeCallToCallRow, endToCallRow, startToCallRow } from './to-call-row'

/** Calls that follow each other in a batch. The items are their places in it. */
export type BatchPortion = CallPortion<number> & {
  firstItem: number
  /** The responses to the items for when their rows are stored: JSON, separated by commas. */
  results: Uint8Array<ArrayBuffer>
  /** The items that are not valid. */
  refusals: Refusal[]
}

/** Why an item is not stored: its first problem, which is also its result. */
export type Refusal = { item: number; problem: Problem }

type ToRow<Item extends z.core.$ZodType> = (item: z.output<Item>) => { row: CallRow; result: object }

// A batch may have thousands of items.
const compiledPart = compileSchema(CallPart)
const compiledCall = compileSchema(CompleteCall)

export const prepareUpsert: Preparation<CallContext, BatchPortion, void> = {
  name: 'call batch',
  *prepare(body, { user }, { newId }) {
    const { input, isDeep } = parseBatch((maxDepth) => parseBody(upsertCalls, body, {}, maxDepth))
    const toRow = (part: z.output<typeof CallPart>) => partToCallRow(part, newId)
    yield* toPortions({ items: input.batch, isDeep, item: compiledPart, toRow }, user)
  },
}

export const prepareComplete: Preparation<CallContext, BatchPortion, void> = {
  name: 'complete calls',
  *prepare(body, { user, path }) {
    const { input, isDeep } = parseBatch((maxDepth) => parseBody(completeCalls, body, path, maxDepth))
    const projectId = readPathProject(input.entity, input.project, user)
    const toRow = (call: CompleteCall) => ({ row: completeCallToCallRow(call), result: {} })
    yield* toPortions({ items: input.batch, isDeep, item: compiledCall, toRow }, user, projectId)
  },
}

/** In a body that is nested too deeply (`isDeep`), only the items that are too deep themselves are refused. */
function parseBatch<Input>(parse: (maxDepth?: number) => Input): { input: Input; isDeep: boolean } {
  try {
    return { input: parse(), isDeep: false }
  } catch (error) {
    if (!(error instanceof DeepBodyError)) throw error
    return { input: parse(Infinity), isDeep: true }
  }
}

function partToCallRow(part: z.output<typeof CallPart>, newId: () => string): { row: CallRow; result: object } {
  if (part.mode === 'end') return { row: endToCallRow(part.req.end), result: {} }
  const row = startToCallRow(part.req.start, newId)
  return { row, result: { id: row.id, trace_id: row.trace_id } }
}

const maxItems = 1000
/** The body and its list are two levels. */
const maxItemDepth = maxBodyDepth - 2

type Batch<Item extends z.core.$ZodType> = { items: readonly unknown[]; isDeep: boolean; item: Item; toRow: ToRow<Item> }

/** All items must be of the project `projectId`, where it is given. */
function* toPortions<Item extends z.core.$ZodType>(
  { items, isDeep, item, toRow }: Batch<Item>,
  user: User,
  projectId?: string,
): Generator<BatchPortion, void, undefined> {
  const validate = (input: unknown, loc: string[]): { row: CallRow; result: object } | { problem: Problem } => {
    if (isDeep && isDeeperThan(input, maxItemDepth)) {
      return { problem: { loc, msg: `This item is nested too deeply: at most ${maxItemDepth} levels.`, type: 'json_invalid' } }
    }
    const parsed = z.safeParse(item, input)
    if (!parsed.success) return { problem: toProblems(parsed.error.issues, input, loc)[0] ?? invalidItem(loc) }
    const { row, result } = toRow(parsed.data)
    const problem = findProjectProblem(row.project_id, projectId, canAccessProject(user, row.project_id))
    if (problem) return { problem: { ...problem, loc: [...loc, 'project_id'] } }
    if (row.started_at !== undefined) row.wb_user_id = user.username
    return { row, result }
  }
  const builder = new CallPortionBuilder<number>()
  let results: string[] = []
  let refusals: Refusal[] = []
  for (const [index, input] of items.entries()) {
    const validated = validate(input, ['body', 'batch', String(index)])
    if ('problem' in validated) {
      refusals.push({ item: index, problem: validated.problem })
      results.push(JSON.stringify({ error: validated.problem }))
    } else {
      builder.add(validated.row, index)
      results.push(JSON.stringify(validated.result))
    }
    if (builder.isFull || results.length >= maxItems || index === items.length - 1) {
      const responses = new TextEncoder().encode(results.join(','))
      yield { ...builder.take(), firstItem: index + 1 - results.length, results: responses, refusals }
      results = []
      refusals = []
    }
  }
}

/** Level by level, because a function that calls itself ends at some depth. */
function isDeeperThan(value: unknown, maxDepth: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true
    level = level.flatMap((each) => Object.values(each).filter(isContainer))
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** For the type only: an error has at least one issue. */
function invalidItem(loc: string[]): Problem {
  return { loc, msg: 'This item is not valid.', type: 'value_error' }
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
