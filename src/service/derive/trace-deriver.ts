import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { waitWhileBusy } from '../lib/wait-while-busy'
import { joinSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { isClosed, StoreError } from '../store/store-error'
import { classifyFailure } from './derivation-failure'
import { Quarantine, type Quarantined } from './quarantine'
import { copyTraceCalls } from './rebuild-derived'
import { findRange, type InsertedRange, isFrom, isIn, isInPage, mayHaveLeft, readPending, toDateTime } from './pending-calls'
import { findTraces, findTracesOf, tracesOfCalls, type TraceIds } from './trace-members'
import { allProjects, TraceWatermarks, type WatermarkTable } from './trace-watermarks'
import type { TurnDeriver } from './turn-deriver'
import { waitAsReader } from './wait-as-reader'
import type { RowLimits } from './written-rows'
import { WriterPace } from './writer-pace'

const ProjectRow = z.object({ project_id: z.string() })

/** A hundred thousand spans of one trace arrive in many batches: all that arrived in the meantime is one derivation. */
const minPauseMs = 2000
const maxPauseMs = 60_000
/** Writers and readers come first, but what is derived must not stay far behind them: a reader has to wait for it. */
const maxBusyMs = 15_000
/** How many calls are derived at a time, and how many where more than that are behind. Tests take fewer. */
export type PageSizes = { calls: number; callsOfBacklog: number }
// 50,000 calls take 120 MB while their spends are derived, 100,000 take 500 MB.
const usualPageSizes: PageSizes = { calls: 20_000, callsOfBacklog: 50_000 }
const maxReaderWaitMs = 10_000
/** How many ids of derived traces an update remembers. So many take about 20 MB. */
const maxKeptIds = 200_000
/** So many are left out of a range. Where there are more, its pages leave them out. */
const maxIdsBesideRange = 1000
/** A trace that fails for lack of memory or time may have been unlucky. */
const maxAttemptsUnderLoad = 5

/** A table that is derived from whole traces. */
export type TraceDerivation = {
  /** What is derived, for the log: 'spends'. */
  what: string
  watermarkTable: WatermarkTable
  quarantineKind: Quarantined['kind']
  /**
   * Derives the table's rows from these traces, as they are stored now. Returns the ids of the traces that are slow to derive: long
   * traces, and all of these traces if they have very many calls together.
   */
  derive: (store: Store, projectId: string, traceIds: TraceIds, options: QueryOptions) => Promise<readonly string[]>
}

type TraceDeriverDeps = {
  store: Store
  deriver: TurnDeriver
  logger: Logger
  /** Slows down the writers of this store where a reader waits for an update. */
  pace?: WriterPace | undefined
  pageSizes?: PageSizes | undefined
  rowLimits?: RowLimits | undefined
}

type Update = { done: Promise<void>; options: Pick<QueryOptions, 'lane' | 'share'>; giveWay?: () => void }
type Updates = { running: Update; next: Update | undefined }

/**
 * Keeps a table that is derived from whole traces up to date with `calls`. What is not derived yet is found in the store:
 * the calls whose `inserted_at` is not below the watermark. So nothing is kept in memory that a killed process could lose.
 * Call `flush` before reading.
 *
 * A process with a store of its own knows which inserts are in progress, so its watermark is exact. Processes that share a
 * server do not know the clocks of each other: there `deriveCalls` is called before a call is acknowledged.
 */
export class TraceDeriver {
  private readonly store: Store
  private readonly deriver: TurnDeriver
  private readonly logger: Logger
  private readonly quarantine: Quarantine
  private readonly pace: WriterPace
  private readonly pageSizes: PageSizes
  private readonly watermarks: TraceWatermarks
  private readonly updatesByProject = new Map<string, Updates>()
  private readonly recoveredProjects = new Set<string>()
  private readonly retriedProjects = new Set<string>()
  private readonly attemptsByTrace = new Map<string, number>()
  private readonly closing = new AbortController()
  private background: Promise<void> | undefined

  constructor(
    { store, deriver, logger, pace = new WriterPace(), pageSizes = usualPageSizes }: TraceDeriverDeps,
    private readonly derivation: TraceDerivation,
  ) {
    this.store = store
    this.deriver = deriver
    this.logger = logger
    this.quarantine = new Quarantine(store)
    this.watermarks = new TraceWatermarks(store, derivation.watermarkTable)
    this.pace = pace
    this.pageSizes = pageSizes
  }

  /** Derives in the background from now on. */
  start(): void {
    this.background ??= this.run()
  }

  /** Resolves when the step that runs has ended. What is not derived then is derived by the next process. */
  async close(): Promise<void> {
    this.closing.abort()
    await this.background
    for (const { running } of this.updatesByProject.values()) await running.done.catch(() => undefined)
  }

  /**
   * Resolves when everything of the project that was written before is derived or set aside. Rejects with a `StoreError`, and
   * with a `DerivationBehindError` after some seconds. What is derived meanwhile counts to the share of the reader.
   */
  async flush(projectId: string, { signal, share }: Pick<QueryOptions, 'signal' | 'share'> = {}): Promise<void> {
    const updated = waitAsReader(this.updateForReader(projectId, share), { signal, maxWaitMs: maxReaderWaitMs })
    await this.pace.awaitAsReader(projectId, updated)
  }

  /**
   * A condition on the rows of `calls` for what is not derived yet of this project: `none` where that is known to be nothing, and
   * `unknown` where something is set aside. Nothing is begun.
   */
  async findUnderived(projectId: string): Promise<Sql | 'none' | 'unknown'> {
    await this.quarantine.load()
    if (this.quarantine.hasAnyOf(this.derivation.quarantineKind, projectId)) return 'unknown'
    if (await this.isKnownDerived(projectId)) return 'none'
    return sql`project_id = ${projectId} AND ${isFrom(derivedBefore(await this.watermarks.load(), projectId))}`
  }

  /** Derives what these calls change. For processes that share a store, before they acknowledge the calls. */
  async deriveCalls(callIdsByProject: ReadonlyMap<string, Iterable<string>>): Promise<void> {
    for (const [projectId, ids] of callIdsByProject) {
      const traceIds = await findTraces(this.store, projectId, [...new Set(ids)], { lane: 'write' })
      await this.deriveOrSetAside(projectId, traceIds, { lane: 'write' })
    }
  }

  private toKey(projectId: string, traceId: string): Quarantined {
    return { kind: this.derivation.quarantineKind, project_id: projectId, id: traceId }
  }

  /** An update that counted to another user, who has too many other requests, is tried again for this one. */
  private async updateForReader(projectId: string, share: QueryOptions['share']): Promise<void> {
    for (;;) {
      const { done, options } = this.update(projectId, { lane: 'read', share })
      try {
        return await done
      } catch (error) {
        const isOfOther = options.share?.user !== share?.user
        if (!isOfOther || !(error instanceof StoreError) || error.kind !== 'overloaded') throw error
      }
    }
  }

  /**
   * One update of a project runs at a time; all that ask for another meanwhile share it. It counts to the first of them. A reader
   * does not wait for one of the background, which gives way to all others: it is stopped, and what it had to do is part of the next.
   */
  private update(projectId: string, options: Update['options']): Update {
    const updates = this.updatesByProject.get(projectId)
    if (!updates) return this.runUpdate(projectId, options)
    if (options.lane === 'read') updates.running.giveWay?.()
    const next: Update = (updates.next ??= {
      done: updates.running.done.catch(() => undefined).then(() => this.runUpdate(projectId, next.options).done),
      options,
    })
    if (options.lane === 'read' && next.options.lane === 'scan') next.options = options
    return next
  }

  private runUpdate(projectId: string, options: Update['options']): Update {
    const end = this.pace.beginUpdate(projectId)
    const stopping = new AbortController()
    const done = this.derivePending(projectId, { ...options, signal: stopping.signal }).finally(() => {
      end()
      if (this.updatesByProject.get(projectId) === updates && !updates.next) this.updatesByProject.delete(projectId)
    })
    const running = { done, options, ...(options.lane === 'scan' && { giveWay: () => stopping.abort() }) }
    const updates: Updates = { running, next: undefined }
    this.updatesByProject.set(projectId, updates)
    return updates.running
  }

  /** What the process before has inserted is found once in the store, what this one has inserted is known. */
  private async isKnownDerived(projectId: string): Promise<boolean> {
    if (this.store.isShared || !this.recoveredProjects.has(projectId)) return false
    return !this.deriver.hasInsertedSince(projectId, derivedBefore(await this.watermarks.load(), projectId))
  }

  private async derivePending(projectId: string, options: QueryOptions): Promise<void> {
    // A reader would wait for it.
    if (options.lane === 'scan') await this.retrySetAside(projectId, options)
    const watermarks = await this.watermarks.load()
    // An insert that is still running, also one of another project, holds back the watermark. It must not hold back what is
    // derived: calls that were inserted beside it may be acknowledged.
    const { storedBefore, begunBefore: until } = this.deriver
    // To find nothing in the store takes some milliseconds, and longer in a larger one.
    if (await this.isKnownDerived(projectId)) return
    let after = { insertedAt: derivedBefore(watermarks, projectId), id: '' }
    let isBacklog = false
    // Each page has calls of the same traces, where those are long and side by side.
    const derivedIds = new Set<string>()
    await this.quarantine.load()
    // A trace that was set aside is released by itself.
    let areRangesFine = !this.quarantine.hasAnyOf(this.derivation.quarantineKind, projectId)
    for (;;) {
      if (this.closing.signal.aborted) return
      const pending = { projectId, after, until }
      const range: InsertedRange | undefined =
        isBacklog && areRangesFine ? await findRange(this.store, pending, this.pageSizes.callsOfBacklog, options) : undefined
      if (range && (await this.deriveRange(range, derivedIds, options))) {
        after = { insertedAt: range.last + 1, id: '' }
      } else {
        if (range) areRangesFine = false
        const page = await readPending(this.store, pending, this.pageSizes.calls, options)
        const lastRow = page.at(-1)
        if (!lastRow) break
        const last = { insertedAt: lastRow.inserted_at_us, id: lastRow.id }
        await this.deriveTracesOf(projectId, isInPage({ projectId, after, last }), derivedIds, options)
        if (page.length < this.pageSizes.calls) break
        isBacklog = true
        after = last
      }
      await this.watermarks.move(projectId, Math.min(after.insertedAt, storedBefore))
    }
    // After the pages: what left one of them is here now, also by an insert that was in progress when the update began.
    if (this.store.isShared || this.deriver.hasInsertedSince(projectId, storedBefore)) {
      await this.deriveTracesOf(projectId, mayHaveLeft(projectId, storedBefore), derivedIds, options)
    }
    this.recoveredProjects.add(projectId)
    watermarks.set(projectId, storedBefore)
  }

  /** The traces that another version of the derivation set aside and this one has not tried. */
  private async findSetAside(): Promise<Quarantined[]> {
    const all = await this.quarantine.load()
    const isOwn = ({ kind }: Quarantined) => kind === this.derivation.quarantineKind
    return all.filter((each) => isOwn(each) && !this.retriedProjects.has(each.project_id))
  }

  private async retrySetAside(projectId: string, options: QueryOptions): Promise<void> {
    const traces = (await this.findSetAside()).filter((each) => each.project_id === projectId)
    for (const { id } of traces) await this.deriveOrSetAside(projectId, [id], options)
    if (traces.length > 0) this.retriedProjects.add(projectId)
  }

  /**
   * Derives the traces of all calls in the range by a few statements without lists of ids: each of them reads much of the
   * project, whether for five thousand calls or for fifty thousand. Without those that this update has derived. False where that
   * fails because of what is stored, and where too many are derived already: the pages do it.
   */
  private async deriveRange(range: InsertedRange, derivedIds: Set<string>, options: QueryOptions): Promise<boolean> {
    if (derivedIds.size > maxIdsBesideRange) return false
    try {
      if (!this.recoveredProjects.has(range.projectId)) await this.store.command(copyTraceCalls(isIn(range)))
      const all = tracesOfCalls(range.projectId, sql`SELECT id FROM calls WHERE ${isIn(range)}`)
      const traceIds = sql`SELECT trace_id FROM (${all}) WHERE trace_id NOT IN ${[...derivedIds]}`
      addIds(derivedIds, await this.derivation.derive(this.store, range.projectId, traceIds, options))
      return true
    } catch (error) {
      const { cause, reason } = classifyFailure(error)
      if (cause === 'store' || this.closing.signal.aborted) throw error
      this.logger.info({ projectId: range.projectId, reason }, `${this.derivation.what} are derived in smaller steps`)
      return false
    }
  }

  /** Derives the traces of the calls that meet the condition on `calls`, without those that this update has derived. */
  private async deriveTracesOf(projectId: string, condition: Sql, derivedIds: Set<string>, options: QueryOptions): Promise<void> {
    // An insert that was interrupted may have reached `calls` and not its view.
    if (!this.recoveredProjects.has(projectId)) await this.store.command(copyTraceCalls(condition))
    const callIds = sql`SELECT id FROM calls WHERE ${condition}`
    const traceIds = await findTracesOf(this.store, projectId, callIds, options)
    const otherIds = traceIds.filter((id) => !derivedIds.has(id))
    addIds(derivedIds, await this.deriveOrSetAside(projectId, otherIds, options))
  }

  /**
   * What fails because of its data is halved until the trace is found that fails alone, and that is set aside. Returns what
   * `derive` does.
   */
  private async deriveOrSetAside(
    projectId: string,
    traceIds: readonly string[],
    options: QueryOptions,
  ): Promise<readonly string[]> {
    const [id] = traceIds
    if (id === undefined) return []
    let longIds: readonly string[]
    try {
      longIds = await this.derivation.derive(this.store, projectId, traceIds, options)
    } catch (error) {
      const { cause, reason } = classifyFailure(error)
      if (cause === 'store' || this.closing.signal.aborted) throw error
      if (traceIds.length > 1) {
        const middle = traceIds.length >> 1
        const first = await this.deriveOrSetAside(projectId, traceIds.slice(0, middle), options)
        return [...first, ...(await this.deriveOrSetAside(projectId, traceIds.slice(middle), options))]
      }
      const attempts = (this.attemptsByTrace.get(id) ?? 0) + 1
      this.attemptsByTrace.set(id, attempts)
      if (cause === 'load' && attempts < maxAttemptsUnderLoad) throw error
      this.attemptsByTrace.delete(id)
      const key = this.toKey(projectId, id)
      await this.quarantine.load()
      if (!this.quarantine.has(key)) {
        this.logger.error(
          { projectId, traceId: id.slice(0, 200), reason },
          `${this.derivation.what} of a trace cannot be derived and are set aside`,
        )
      }
      await this.quarantine.add(key, reason)
      return []
    }
    for (const trace of traceIds) {
      const key = this.toKey(projectId, trace)
      if (this.quarantine.has(key)) await this.quarantine.release(key)
    }
    return longIds
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { signal } = this.closing
    let failures = 0
    while (!signal.aborted) {
      const startMs = performance.now()
      try {
        await this.deriveAll()
        if (failures > 0) this.logger.info(`${this.derivation.what} are derived again`)
        failures = 0
      } catch (err) {
        if (failures === 0 && !signal.aborted && !isClosed(err))
          this.logger.error({ err }, `${this.derivation.what} could not be derived, trying again`)
        failures += 1
      }
      // A fifth of the time at most, and longer after each failure.
      const pauseMs = Math.max(4 * (performance.now() - startMs), minPauseMs * 2 ** Math.min(failures, 5))
      await wait(Math.min(pauseMs, maxPauseMs), undefined, { ref: false, signal }).catch(() => undefined)
      await waitWhileBusy({ maxMs: maxBusyMs, signal })
    }
  }

  private async deriveAll(): Promise<void> {
    const watermarks = await this.watermarks.load()
    const setAside = new Set((await this.findSetAside()).map(({ project_id: projectId }) => projectId))
    const since = watermarks.get(allProjects) ?? 0
    const until = this.deriver.storedBefore
    const isPending = joinSql([isFrom(since), sql`inserted_at < ${toDateTime(until)}`], ' AND ')
    const pending = sql`SELECT DISTINCT project_id FROM calls WHERE ${isPending}`
    const projects = await this.store.query(pending, ProjectRow, { lane: 'scan' })
    const projectIds = new Set([...setAside, ...projects.map(({ project_id: projectId }) => projectId)])
    if (projectIds.size === 0) return
    let isWhole = true
    for (const projectId of projectIds) {
      if (this.closing.signal.aborted) return
      if ((watermarks.get(projectId) ?? 0) >= until && !setAside.has(projectId)) continue
      try {
        await this.update(projectId, { lane: 'scan' }).done
      } catch (error) {
        if (!(error instanceof StoreError && error.kind === 'aborted')) throw error
        // The update of a reader goes on with this project.
        isWhole = false
      }
    }
    if (isWhole && !this.closing.signal.aborted) await this.watermarks.move(allProjects, until)
  }
}

/** Calls with a lower `inserted_at` are derived. */
function derivedBefore(watermarks: ReadonlyMap<string, number>, projectId: string): number {
  return Math.max(watermarks.get(allProjects) ?? 0, watermarks.get(projectId) ?? 0)
}

function addIds(derivedIds: Set<string>, ids: readonly string[]): void {
  if (derivedIds.size > maxKeptIds) derivedIds.clear()
  for (const id of ids) derivedIds.add(id)
}
