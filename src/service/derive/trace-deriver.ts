import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { waitWhileBusy } from '../lib/wait-while-busy'
import { joinSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { isClosed } from '../store/store-error'
import { classifyFailure } from './derivation-failure'
import { ProjectUpdates } from './project-updates'
import { copyTraceCalls } from './rebuild-derived'
import { SecondPass } from './second-pass'
import { findRange, type InsertedRange, isFrom, isIn, isInPage, mayHaveLeft, readPending, toDateTime } from './pending-calls'
import { findTraces, findTracesOf, tracesOfCalls } from './trace-members'
import { type TraceDerivation, TraceSteps } from './trace-steps'
import { allProjects, TraceWatermarks } from './trace-watermarks'
import type { TurnDeriver } from './turn-deriver'
import { waitAsReader } from './wait-as-reader'
import type { RowLimits } from './written-rows'
import { WriterPace } from './writer-pace'

const ProjectRow = z.object({ project_id: z.string() })

/** A hundred thousand spans of one trace arrive in many batches: all that arrived in the meantime is one derivation. */
const minPauseMs = 2000
const maxPauseMs = 60_000
/** Each update has a fixed price, so few calls wait for more of them. A reader does not wait for that. */
const fewCalls = 1000
const maxWaitForMoreMs = 8000
/** Writers and readers come first, but what is derived must not stay far behind them: a reader has to wait for it. */
const maxBusyMs = 15_000
/** How many calls are derived at a time, and how many where more than that are behind. Tests take fewer. */
export type PageSizes = { calls: number; callsOfBacklog: number }
// 50,000 calls take 120 MB while their spends are derived, 100,000 take 500 MB.
const usualPageSizes: PageSizes = { calls: 20_000, callsOfBacklog: 50_000 }
/** So long second passes go on, by whole pages, before new calls are looked for. */
const secondPassMs = 5000
const maxReaderWaitMs = 10_000
/** How many ids of derived traces an update remembers. So many take about 20 MB. */
const maxKeptIds = 200_000
/** So many are left out of a range. Where there are more, its pages leave them out. */
const maxIdsBesideRange = 1000

type TraceDeriverDeps = {
  store: Store
  deriver: TurnDeriver
  logger: Logger
  /** Slows down the writers of this store where a reader waits for an update. */
  pace?: WriterPace | undefined
  pageSizes?: PageSizes | undefined
  rowLimits?: RowLimits | undefined
}

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
  private readonly pace: WriterPace
  private readonly pageSizes: PageSizes
  private readonly watermarks: TraceWatermarks
  private readonly secondPass: SecondPass
  private readonly steps: TraceSteps
  private readonly updates: ProjectUpdates
  private readonly recoveredProjects = new Set<string>()
  private readonly closing = new AbortController()
  private background: Promise<void> | undefined

  constructor(
    { store, deriver, logger, pace = new WriterPace(), pageSizes = usualPageSizes }: TraceDeriverDeps,
    private readonly derivation: TraceDerivation,
  ) {
    this.store = store
    this.deriver = deriver
    this.logger = logger
    this.watermarks = new TraceWatermarks(store, derivation.watermarkTable)
    this.secondPass = new SecondPass(store, derivation.watermarkTable)
    this.pace = pace
    this.steps = new TraceSteps({ store, logger, signal: this.closing.signal, derivation })
    this.updates = new ProjectUpdates((projectId, options) => this.derivePending(projectId, options), pace)
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
    await this.updates.settle()
  }

  /**
   * Resolves when everything of the project that was written before is derived or set aside. Rejects with a `StoreError`, and
   * with a `DerivationBehindError` after some seconds. What is derived meanwhile counts to the share of the reader.
   */
  async flush(projectId: string, { signal, share }: Pick<QueryOptions, 'signal' | 'share'> = {}): Promise<void> {
    const updated = waitAsReader(this.updates.forReader(projectId, share), { signal, maxWaitMs: maxReaderWaitMs })
    await this.pace.awaitAsReader(projectId, updated)
  }

  /**
   * A condition on the rows of `calls` for what is not derived yet of this project: `none` where that is known to be nothing, and
   * `unknown` where something is set aside. Nothing is begun.
   */
  async findUnderived(projectId: string): Promise<Sql | 'none' | 'unknown'> {
    if (await this.steps.hasSetAside(projectId)) return 'unknown'
    if (await this.isKnownDerived(projectId)) return 'none'
    return sql`project_id = ${projectId} AND ${isFrom(derivedBefore(await this.watermarks.load(), projectId))}`
  }

  /** Derives what these calls change. For processes that share a store, before they acknowledge the calls. */
  async deriveCalls(callIdsByProject: ReadonlyMap<string, Iterable<string>>): Promise<void> {
    for (const [projectId, ids] of callIdsByProject) {
      const traceIds = await findTraces(this.store, projectId, [...new Set(ids)], { lane: 'write' })
      await this.steps.derive(projectId, traceIds, { lane: 'write' })
    }
  }

  /** What the process before has inserted is found once in the store, what this one has inserted is known. */
  private async isKnownDerived(projectId: string): Promise<boolean> {
    if (this.store.isShared || !this.recoveredProjects.has(projectId)) return false
    return !this.deriver.hasInsertedSince(projectId, derivedBefore(await this.watermarks.load(), projectId))
  }

  private async derivePending(projectId: string, options: QueryOptions): Promise<void> {
    // A reader would wait for it.
    if (options.lane === 'scan') await this.steps.tryAgain(projectId, options)
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
    // A trace that was set aside is released by itself.
    let areRangesFine = !(await this.steps.hasSetAside(projectId))
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

  private async deriveAllAgain(): Promise<void> {
    const endMs = performance.now() + secondPassMs
    // Those that are postponed meanwhile are not tried again.
    const projectIds = [...(await this.secondPass.load()).keys()]
    for (const projectId of projectIds) {
      if (performance.now() > endMs) return
      await this.updates.inBackground(projectId, (id, options) => this.deriveAgain(id, options, endMs))
    }
  }

  /** Goes on with the second pass of a project. */
  private async deriveAgain(projectId: string, options: QueryOptions, endMs: number): Promise<void> {
    await this.derivePending(projectId, options)
    while (performance.now() < endMs) {
      const pass = (await this.secondPass.load()).get(projectId)
      if (!pass || this.closing.signal.aborted) return
      const { watermark, until, pageCalls } = pass
      const after = { insertedAt: watermark, id: '' }
      try {
        const page = await readPending(this.store, { projectId, after, until }, pageCalls, options)
        const lastCall = page.length < pageCalls ? undefined : page.at(-1)
        // Calls that were inserted together may be more than a page.
        const last = lastCall?.inserted_at_us ?? until - 1
        await this.deriveTracesOf(projectId, isIn({ projectId, first: watermark, last }), new Set(), options)
        await this.secondPass.move(projectId, pass, last + 1, this.pageSizes.calls)
      } catch (error) {
        await this.secondPass.postpone(projectId, pass)
        throw error
      }
    }
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
    addIds(derivedIds, await this.steps.derive(projectId, otherIds, options))
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { signal } = this.closing
    let failures = 0
    while (!signal.aborted) {
      const startMs = performance.now()
      const knownCount = this.pace.callCount
      let isAllDerived = false
      try {
        await this.deriveAll()
        await this.deriveAllAgain()
        isAllDerived = (await this.secondPass.load()).size === 0
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
      if (isAllDerived) await this.pace.waitForCalls(knownCount + fewCalls, { maxMs: maxWaitForMoreMs, signal })
      await waitWhileBusy({ maxMs: maxBusyMs, signal })
    }
  }

  private async deriveAll(): Promise<void> {
    const watermarks = await this.watermarks.load()
    const setAside = new Set((await this.steps.findUntried()).map(({ project_id: projectId }) => projectId))
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
      isWhole = (await this.updates.inBackground(projectId)) && isWhole
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
