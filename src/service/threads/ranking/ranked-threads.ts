import * as z from 'zod/mini'
import type { streamThreads, Thread } from '../../../contract/threads'
import { count } from '../../store/row-types'
import { sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { StoreError } from '../../store/store-error'
import { orderRanked, RankedRow, readFirstThreads, readThreadRows, selectRanked } from './first-threads'
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
/** A page that ends behind more threads waits for the ranking. */
const maxFirst = 1000

const CountRow = z.object({ count })

type Input = z.output<typeof streamThreads.request>
type Page = { projectId: string; order: ThreadOrder; offset: number; limit: number }
type Sizes = { minThreads: number; maxRanked: number }
type Entry = {
  projectId: string
  /** Threads that have changed since the last update of the ranking. */
  changed: Set<string>
  /** The ranking when all earlier updates have ended, where somebody wanted it. Undefined within where it has to be read anew. */
  ranking?: Promise<ThreadRanking | undefined>
  /** The ranking has been read once: nobody waits long for it. */
  isRead: boolean
}

/**
 * Pages of the threads of large projects, without merging all threads for each. The first page in an order is read as
 * `readFirstThreads` does. An order that is asked for again gets a ranking: its first threads are in memory, and only
 * threads that changed are looked up. So a page of a project of a million threads takes as long as one of twenty
 * thousand. A process that shares its store does not learn of all changes, so there it has no rankings.
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
      const rows = this.isRanked(page, shared) ? await this.readRanked(page, shared, options) : undefined
      if (rows || isDeep(page)) return rows
      const { projectId, order, offset, limit } = page
      return (await readFirstThreads(this.store, { projectId, order, count: offset + limit }, options))?.slice(offset)
    } catch (error) {
      // It may have counted to another reader, who has too many requests. What is wrong with the store, the next statement says.
      if (!(error instanceof StoreError)) throw error
    }
    return undefined
  }

  private toPage({ project_id: projectId, filter = {}, sort_by: sortBy = [], limit, offset = 0 }: Input): Page | undefined {
    const [order = latestFirst[0], ...more] = sortBy
    const isFiltered = Object.values(filter).some((value) => value !== undefined && value.length > 0)
    if (isFiltered || more.length > 0 || limit === undefined || limit > maxPage) return undefined
    const maxEnd = this.store.isShared ? maxFirst : this.sizes.maxRanked
    return offset + limit > maxEnd ? undefined : { projectId, order, offset, limit }
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

  /** Whether the page is taken from a ranking. The second page in an order begins one, which is read while nobody waits. */
  private isRanked(page: Page, options: QueryOptions): boolean {
    if (this.store.isShared) return false
    if (isDeep(page)) return true
    const entry = this.entries.get(toKey(page))
    if (!entry) this.addEntry(page)
    else if (!entry.isRead) void this.update(page, { ...options, lane: 'scan' })
    return entry?.isRead ?? false
  }

  private async readRanked(page: Page, shared: QueryOptions, options: QueryOptions): Promise<Thread[] | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const threads = (await this.update(page, shared))?.page(page.offset, page.limit)
      const rows = threads && (await this.readRows(page, threads, options))
      if (rows) return rows
      if (threads) continue
      this.entries.delete(toKey(page))
      if (!isDeep(page)) break
    }
    return undefined
  }

  private addEntry({ projectId, order }: Page): Entry {
    const entry: Entry = { projectId, changed: new Set(), isRead: false }
    this.entries.set(toKey({ projectId, order }), entry)
    forgetFirst(this.entries, maxRankings)
    return entry
  }

  /** The ranking with all changes that were noted before. Undefined where it has to be read anew. */
  private update(page: Page, options: QueryOptions): NonNullable<Entry['ranking']> {
    const key = toKey(page)
    const entry = this.entries.get(key) ?? this.addEntry(page)
    // The last used is the last that is forgotten.
    this.entries.delete(key)
    this.entries.set(key, entry)
    // One update after the other: a later one must not be overtaken by an earlier one.
    const ranking = entry.ranking
      ? entry.ranking.catch(() => undefined).then((known) => known && this.apply(page, entry, known, options))
      : this.readRanking(page, entry, options)
    ranking.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key)
    })
    entry.ranking = ranking
    return ranking
  }

  private async readRanking({ projectId, order }: Page, entry: Entry, options: QueryOptions): Promise<ThreadRanking> {
    const max = this.sizes.maxRanked
    const rows = await this.store.query(
      sql`${selectRanked(projectId, order)} ${orderRanked(order)} LIMIT ${uint64(max + 1)}`,
      RankedRow,
      options,
    )
    entry.isRead = true
    return new ThreadRanking(order, toRanked(rows.slice(0, max)), rows.length <= max, max)
  }

  private async apply({ projectId, order }: Page, entry: Entry, ranking: ThreadRanking, options: QueryOptions) {
    const { changed } = entry
    if (changed.size === 0) return ranking
    entry.changed = new Set()
    const select = sql`${selectRanked(projectId, order)} AND thread_id IN ${[...changed]}`
    ranking.update(changed, toRanked(await this.store.query(select, RankedRow, options)))
    return ranking
  }

  /** In the order of `threads`; undefined where one of them has changed since then. */
  private async readRows({ projectId, order }: Page, threads: readonly RankedThread[], options: QueryOptions) {
    const ids = threads.map(({ threadId }) => threadId)
    const rowById = await readThreadRows(this.store, { projectId, order, ids }, options)
    const page: Thread[] = []
    for (const { threadId, value } of threads) {
      const row = rowById.get(threadId)
      if (row?.value !== value) return undefined
      page.push(row.thread)
    }
    return page
  }
}

function isDeep({ offset, limit }: Page): boolean {
  return offset + limit > maxFirst
}

function toRanked(rows: readonly z.output<typeof RankedRow>[]): RankedThread[] {
  return rows.map(({ thread_id: threadId, value }) => ({ threadId, value }))
}

function toKey({ projectId, order }: Pick<Page, 'projectId' | 'order'>): string {
  return `${order.field} ${order.direction} ${projectId}`
}

function forgetFirst(map: Map<string, unknown>, maxSize: number): void {
  const [first] = map.keys()
  if (map.size > maxSize && first !== undefined) map.delete(first)
}
