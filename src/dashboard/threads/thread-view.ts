import { parseInstant } from '../../contract/instant'
import { threadSortFields } from '../../contract/threads'
import { checkedText, choice, tableParams, texts, type ViewOf, wholeNumber } from '../table/view/params'

export const derivedColumnIds = ['elapsed', 'spread', 'first_turn_id', 'last_turn_id'] as const

const isInstant = (text: string) => typeof parseInstant(text) === 'bigint'

const hourMs = 3_600_000
const windowMs = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs, all: undefined } as const
export const windows = ['1h', '24h', '7d', '30d', 'all'] as const

/** What the address of the threads page holds. */
export const threadParams = {
  ...tableParams([...threadSortFields, ...derivedColumnIds], [{ id: 'last_updated', direction: 'desc' }]),
  /** Turns started within this time before now. */
  window: choice(windows, 'all'),
  after: checkedText(isInstant),
  before: checkedText(isInstant),
  thread: texts(1000),
  /** Durations from here on are marked, milliseconds; 0 marks none. */
  slow: { ...wholeNumber(0, (value) => value >= 0), keepsPage: true },
}
export type ThreadView = ViewOf<typeof threadParams>

export const noFilters = { window: 'all', after: '', before: '', thread: [] } as const satisfies Partial<ThreadView>

export function isFiltered(view: ThreadView): boolean {
  return hasWindow(view) || view.thread.length > 0
}

/** Whether the figures cover only some of a thread's turns. */
export function hasWindow({ window, after, before }: ThreadView): boolean {
  return window !== 'all' || after !== '' || before !== ''
}

/** The wire's filter. `now` anchors a window that ends now; explicit bounds stand for themselves. */
export function threadFilter({ window, after, before, thread }: ThreadView, now: number) {
  const length = windowMs[window]
  const from = after || (length === undefined ? '' : new Date(now - length).toISOString())
  return {
    ...(from && { after_datetime: from }),
    ...(before && { before_datetime: before }),
    ...(thread.length > 0 && { thread_ids: [...thread] }),
  }
}

/** How far a window may lag behind the clock before it is worth another request: a sixtieth of itself. */
export function windowLagMs({ window }: ThreadView): number {
  return (windowMs[window] ?? Infinity) / 60
}
