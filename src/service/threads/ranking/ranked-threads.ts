import * as z from 'zod/mini'
import type { streamThreads, Thread } from '../../../contract/threads'
import { threadColumnNames, ThreadRow } from '../../derive/thread-columns'
import { count } from '../../store/row-types'
import { identifier, type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { orderBy } from '../../store/order-by'
import { StoreError } from '../../store/store-error'
import { latestFirst, type RankedThread, type ThreadOrder } from './thread-order'
import { ThreadRanking } from './thread-ranking'

/** Fewer threads than this are read and sorted as fast. */
const minThreads = 20_000
/** Pages up to an offset of 10,000, and some to lose: each thread that sinks below the last one leaves one fewer. */
const maxRanked = 12_000
/** The least recently used is forgotten. One takes about two megabytes, or a dozen where thread ids have the maximum length. */
const maxRankings = 8
/** More changed threads are not looked up: reading all is as fast. */
const maxChanges = 5000
/** A page is read again where one of its threads changes meanwhile. */
const maxAttempts = 3
const maxCountAgeMs = 60_000
const maxPage = 1000

const RankedRow = z.object({ thread_id: z.string(), value: z.nullable(z.union([z.string(), z.number()])) })
const PageRow = z.extend(ThreadRow, { ranked_value: z.nullable(z.union([z.string(), z.number()])) })
const CountRow = z.object({ count })

type Input = z.output<typeof streamThreads.request>
type Page = { projectId: string; order: ThreadOrder; offset: number; limit: number }
type Sizes = { minThreads: number; maxRanked: number }
type Entry = {
  projectId: string
  /** Threads that have changed since the last update of the ranking. */
  changed: Set<string>
  /** The ranking when all earlier updates have ended. Undefined where it has to be read anew. */
  ranking: Promise<ThreadRanking | undefined>
}

/**
 * Pages of the threads of large projects, without reading all threads for each: the first threads in each wanted order are
 * in memory, and only threads that changed are looked up. So a page of a project of a million threads takes as long as one of
 * twenty thousand. A process that shares its store does not learn of all changes, so there everything is read.
 *
 * Call `note` with every thread whose row may have changed, before who waits for that learns that it has.
 */
export class RankedThreads {
  private readonly entries = new Map<string, Entry>()
  private readonly counts = new Map<string, { count: Promise<number>; atMs: number }>()

  constructor(
    private readonly store: Store,
    private readonly sizes: Sizes = { minThreads, maxRanked },
  ) {}

  /** The row of the thread may have changed. */
  note(projectId: string, threadId: string): void {
    for (const [key, entry] of this.entries) {
      if (entry.projectId !== projectId) continue
      entry.changed.add(threadId)
      if (entry.changed.size > maxChanges) this.entries.delete(key)
    }
  }

  /** The rows of a page, undefined where it has to be read and sorted. Call `TurnDeriver.flush` first. */
  async read(input: Input, options: QueryOptions): Promise<Thread[] | undefined> {
    const page = this.toPage(input)
    if (!page) return undefined
    // Shared with other readers, so it must not end with this one.
    const shared = { share: options.share }
    try {
      if (!(await this.isLarge(page.projectId, shared))) return undefined
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const threads = (await this.update(page, shared))?.page(page.offset, page.limit)
        const rows = threads && (await this.readRows(page, threads, options))
        if (rows) return rows
        if (!threads) this.entries.delete(toKey(page))
      }
    } catch (error) {
      // It may have counted to another reader, who has too many requests. What is wrong with the store, the next statement says.
      if (!(error instanceof StoreError)) throw error
    }
    return undefined
  }

  private toPage({ project_id: projectId, filter = {}, sort_by: sortBy = [], limit, offset = 0 }: Input): Page | undefined {
    const [order = latestFirst[0], ...more] = sortBy
    const isFiltered = Object.values(filter).some((value) => value !== undefined && value.length > 0)
    if (this.store.isShared || isFiltered || more.length > 0 || limit === undefined || limit > maxPage) return undefined
    return offset + limit > this.sizes.maxRanked ? undefined : { projectId, order, offset, limit }
  }

  private async isLarge(projectId: string, options: QueryOptions): Promise<boolean> {
    let known = this.counts.get(projectId)
    if (!known || performance.now() - known.atMs > maxCountAgeMs) {
      this.counts.delete(projectId)
      known = { count: this.countThreads(projectId, options), atMs: performance.now() }
      this.counts.set(projectId, known)
      forgetFirst(this.counts, 1000)
      known.count.catch(() => this.counts.delete(projectId))
    }
    return (await known.count) >= this.sizes.minThreads
  }

  /** With those that are there twice until they are merged. */
  private async countThreads(projectId: string, options: QueryOptions): Promise<number> {
    const [row] = await this.store.query(
      sql`SELECT count() AS count FROM threads WHERE project_id = ${projectId}`,
      CountRow,
      options,
    )
    return row?.count ?? 0
  }

  /** The ranking with all changes that were noted before. Undefined where it has to be read anew. */
  private update(page: Page, options: QueryOptions): Entry['ranking'] {
    const key = toKey(page)
    const known = this.entries.get(key)
    this.entries.delete(key)
    const entry: Entry = known ?? { projectId: page.projectId, changed: new Set(), ranking: this.readRanking(page, options) }
    this.entries.set(key, entry)
    forgetFirst(this.entries, maxRankings)
    // One update after the other: a later one must not be overtaken by an earlier one.
    if (known) {
      entry.ranking = entry.ranking.catch(() => undefined).then((ranking) => ranking && this.apply(page, entry, ranking, options))
    }
    entry.ranking.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key)
    })
    return entry.ranking
  }

  private async readRanking({ projectId, order }: Page, options: QueryOptions): Promise<ThreadRanking> {
    const max = this.sizes.maxRanked
    const column = identifier(order.field)
    const sorted = orderBy([{ field: 'value', direction: order.direction }], { value: sql`value` }, sql`thread_id ASC`)
    const rows = await this.store.query(
      sql`${selectValues(projectId, column)} ${sorted} LIMIT ${uint64(max + 1)}`,
      RankedRow,
      options,
    )
    return new ThreadRanking(order, toRanked(rows.slice(0, max)), rows.length <= max, max)
  }

  private async apply({ projectId, order }: Page, entry: Entry, ranking: ThreadRanking, options: QueryOptions) {
    const { changed } = entry
    if (changed.size === 0) return ranking
    entry.changed = new Set()
    const select = sql`${selectValues(projectId, identifier(order.field))} AND thread_id IN ${[...changed]}`
    ranking.update(changed, toRanked(await this.store.query(select, RankedRow, options)))
    return ranking
  }

  /** In the order of `threads`; undefined where one of them has changed since then. */
  private async readRows({ projectId, order }: Page, threads: readonly RankedThread[], options: QueryOptions) {
    if (threads.length === 0) return []
    const rows = await this.store.query(
      sql`SELECT thread_id, ${threadColumnNames}, ${identifier(order.field)} AS ranked_value
FROM threads FINAL WHERE project_id = ${projectId} AND turn_count > 0 AND thread_id IN ${threads.map(({ threadId }) => threadId)}`,
      PageRow,
      options,
    )
    const rowById = new Map(rows.map((row) => [row.thread_id, row]))
    const page: Thread[] = []
    for (const { threadId, value } of threads) {
      const row = rowById.get(threadId)
      if (row?.ranked_value !== value) return undefined
      const { ranked_value: _, ...thread } = row
      page.push(thread)
    }
    return page
  }
}

function selectValues(projectId: string, column: Sql): Sql {
  return sql`SELECT thread_id, ${column} AS value FROM threads FINAL WHERE project_id = ${projectId} AND turn_count > 0`
}

function toRanked(rows: readonly z.output<typeof RankedRow>[]): RankedThread[] {
  return rows.map(({ thread_id: threadId, value }) => ({ threadId, value }))
}

function toKey({ projectId, order }: Page): string {
  return `${order.field} ${order.direction} ${projectId}`
}

function forgetFirst(map: Map<string, unknown>, maxSize: number): void {
  const [first] = map.keys()
  if (map.size > maxSize && first !== undefined) map.delete(first)
}
