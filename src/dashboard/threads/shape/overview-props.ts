import type * as z from 'zod/mini'
import type { ReadThreadShape } from '../../../contract/thread-shape-requests'
import type { Bounds } from './narrow-window'
import type { OverviewView } from './overview-params'

/** What the overview changes: its own view, and the filters of the list that a chart sets. */
type OverviewChange = Partial<OverviewView> & {
  window?: 'all'
  after?: string
  before?: string
  turns?: number
  p99?: number
}

type Filter = NonNullable<z.input<typeof ReadThreadShape>['filter']>

export type OverviewProps = {
  view: OverviewView
  setView: (change: OverviewChange) => void
  /** The wire's filter of the list. */
  filter: Omit<Filter, keyof Bounds> & Bounds
  /** The address of this view with a thread open. */
  toThreadHref: (id: string) => string
  /** The rows on screen are not those of this view yet. */
  areRowsComing: boolean
  isTable: boolean
}
