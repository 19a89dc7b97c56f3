import { parseInstant } from '../../contract/instant'
import { callSortFields, threadSortFields } from '../../contract/threads'
import {
  validStringParam,
  enumParam,
  tableParams,
  stringListParam,
  stringParam,
  type ParamValues,
  integerParam,
} from '../table/view/url-params'
import { overviewParams } from './shape/overview-params'
import { turnParams } from './turns/turn-params'

const derivedThreadColumnIds = ['elapsed', 'spread', 'first_turn_id', 'last_turn_id'] as const

const isInstant = (text: string) => typeof parseInstant(text) === 'bigint'

const hourMs = 3_600_000
const windowMs = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs, all: undefined } as const
export const windows = [
  { value: 'all', label: 'Any time', short: 'any time' },
  { value: '1h', label: 'In the last hour', short: 'in the last hour' },
  { value: '24h', label: 'In the last 24 hours', short: 'in the last 24 h' },
  { value: '7d', label: 'In the last 7 days', short: 'in the last 7 d' },
  { value: '30d', label: 'In the last 30 days', short: 'in the last 30 d' },
] as const

const maxFilterValues = 100

/** The URL parameters of the threads page. */
export const threadParams = {
  ...tableParams(
    [...threadSortFields, ...callSortFields, ...derivedThreadColumnIds],
    [{ id: 'last_updated', direction: 'desc' }],
  ),
  /** Only turns that started within this time before now. */
  window: enumParam(
    windows.map(({ value }) => value),
    'all',
  ),
  after: validStringParam(isInstant),
  before: validStringParam(isInstant),
  thread: stringListParam(1000),
  /** What follows only a service finds that knows the calls of threads. */
  text: stringParam(),
  prefix: stringParam(),
  errors: enumParam(['any', 'only'], 'any'),
  model: stringListParam(maxFilterValues),
  op: stringListParam(maxFilterValues),
  user: stringListParam(maxFilterValues),
  judged: enumParam(['any', 'yes', 'no'], 'any'),
  /** `scorer` or `scorer=value`, the value as JSON or as plain text. */
  answer: stringListParam(10),
  turns: integerParam(0, (value) => value >= 0),
  /** Milliseconds. */
  p50: integerParam(0, (value) => value >= 0),
  p99: integerParam(0, (value) => value >= 0),
  /** USD, as decimal text. */
  cost: validStringParam((text) => /^\d{1,15}(?:\.\d{1,15})?$/.test(text)),
  /** Durations of at least this many milliseconds are shown as slow; 0 shows none. */
  slow: { ...integerParam(0, (value) => value >= 0), keepsPage: true },
  /** The same for p50 alone; 0: as `slow` says. */
  slow50: { ...integerParam(0, (value) => value >= 0), keepsPage: true },
  ...overviewParams,
  ...turnParams,
}
export type ThreadView = ParamValues<typeof threadParams>

export const noThreadFilters = {
  window: 'all',
  after: '',
  before: '',
  thread: [],
  text: '',
  prefix: '',
  errors: 'any',
  model: [],
  op: [],
  user: [],
  judged: 'any',
  answer: [],
  turns: 0,
  p50: 0,
  p99: 0,
  cost: '',
} as const satisfies Partial<ThreadView>

export function hasThreadFilters(view: ThreadView): boolean {
  return hasTimeFilter(view) || view.thread.length > 0 || hasCallFilters(view)
}

/** Whether it takes a search to find the threads of the view. */
export function hasCallFilters(view: ThreadView): boolean {
  return Object.keys(callFilter(view)).length > 0
}

/** Whether the view needs a service that knows the calls of threads: for its filters, or for its order. */
export function needsSearch(view: ThreadView): boolean {
  return hasCallFilters(view) || view.sort.some(({ id }) => callSortFields.some((field) => field === id))
}

/** Whether the figures cover only some of each thread's turns. */
export function hasTimeFilter({ window, after, before }: ThreadView): boolean {
  return window !== 'all' || after !== '' || before !== ''
}

/** The wire's filter. A window ends at `now` (milliseconds); an explicit start replaces it. */
export function threadFilter({ window, after, before, thread }: ThreadView, now: number) {
  const length = windowMs[window]
  const from = after || (length === undefined ? '' : new Date(now - length).toISOString())
  return {
    ...(from && { after_datetime: from }),
    ...(before && { before_datetime: before }),
    ...(thread.length > 0 && { thread_ids: [...thread] }),
  }
}

/** As the service finds words: runs of letters, their marks, digits and `_` in any script. A text without them filters nothing. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{M}\p{N}_]/u.test(text)
}

export const noWordMessage = 'The text has no word to search for.'

/** The wire's filter of a search, beside that of `threadFilter`. */
export function callFilter({ text, prefix, errors, model, op, user, judged, answer, turns, p50, p99, cost }: ThreadView) {
  return {
    ...(hasWord(text) && { text }),
    ...(prefix && { thread_id_prefix: prefix }),
    ...(errors === 'only' && { has_errors: true }),
    ...(model.length > 0 && { models: [...model] }),
    ...(op.length > 0 && { op_names: [...op] }),
    ...(user.length > 0 && { users: [...user] }),
    ...(judged !== 'any' && { is_judged: judged === 'yes' }),
    ...(answer.length > 0 && { answers: answer.map(parseAnswer) }),
    ...(turns > 0 && { min_turns: turns }),
    ...(p50 > 0 && { min_p50_ms: p50 }),
    ...(p99 > 0 && { min_p99_ms: p99 }),
    ...(cost && { min_cost: cost }),
  }
}

/**
 * @example parseAnswer('good = true') // { scorer: 'good', value: true }
 * @example parseAnswer('grade="1"') // { scorer: 'grade', value: '1' }
 */
function parseAnswer(text: string): { scorer: string; value?: boolean | number | string } {
  const [, scorer = text, written = ''] = /^([^=]*)=(.*)$/su.exec(text) ?? []
  const value = written.trim()
  if (value === '') return { scorer: scorer.trim() }
  try {
    const parsed: unknown = JSON.parse(value)
    const isScalar = typeof parsed === 'boolean' || typeof parsed === 'number' || typeof parsed === 'string'
    return { scorer: scorer.trim(), value: isScalar ? parsed : value }
  } catch {
    return { scorer: scorer.trim(), value }
  }
}

/** How old the end of a window may be before a refresh moves it: a sixtieth of the window. */
export function windowLagMs({ window }: ThreadView): number {
  return (windowMs[window] ?? Infinity) / 60
}
