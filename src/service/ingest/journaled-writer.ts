import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { waitAsReader } from '../derive/wait-as-reader'
import { freeBuffer } from '../lib/free-buffer'
import { serviceShare, type Share } from '../lib/share'
import type { QueryOptions, Store } from '../store/store'
import { type StoreError, toStoreError } from '../store/store-error'
import { type CallLines, lineAt, toCallLines } from './call-portion'
import type { CallRow } from './call-row'
import type { CallSink, CallWriter } from './call-writer'
import type { CallJournal } from './journal/call-journal'

export type JournaledTimes = { maxReaderWaitMs: number; minRetryMs: number; maxRetryMs: number }
const defaultTimes: JournaledTimes = { maxReaderWaitMs: 10_000, minRetryMs: 500, maxRetryMs: 30_000 }

type Deps = { store: Store; writer: CallWriter; journal: CallJournal; logger: Logger; times?: JournaledTimes }

/** An insert, which tells for each row the error for which the engine rejects it. */
type Attempt = Promise<readonly (StoreError | undefined)[]>

/** Calls that are acknowledged and not inserted yet. `attempt` rejects where they could not be inserted, until the next one. */
type Pending = { lines: CallLines; user: string; attempt: Attempt }

/** More is mostly one large value. It would be written to disk twice, and share its insert with nothing. */
const maxJournaledBytes = 5 * 1024 * 1024
const rowsPerReplay = 1000

const StoredLine = z.object({ project_id: z.string(), id: z.string() })

/**
 * Acknowledges requests when they are in the journal, some milliseconds after they came, and inserts them a moment later,
 * many at a time, or as soon as somebody wants to read (`settle`): larger inserts make fewer parts, and less to merge. What is
 * very large, and requests of a user who is ahead of the inserts, are acknowledged when they are inserted, as `CallWriter` does.
 */
export class JournaledWriter implements CallSink {
  private readonly store: Store
  private readonly writer: CallWriter
  private readonly journal: CallJournal
  private readonly logger: Logger
  private readonly times: JournaledTimes
  /** Lists, because most projects of a large batch have one entry, and a set with one entry takes four times the memory. */
  private readonly pendingByProject = new Map<string, Pending[]>()
  /** Acknowledged calls that could not be inserted and are tried again. */
  private retryCount = 0
  private isJournalBroken = false
  private readonly closing = new AbortController()
  private replaying: Promise<void> | undefined
  /** Set until the replay is done. It rejects where that failed, until the next attempt. */
  private replayAttempt: Promise<void> | undefined

  constructor({ store, writer, journal, logger, times = defaultTimes }: Deps) {
    this.store = store
    this.writer = writer
    this.journal = journal
    this.logger = logger
    this.times = times
  }

  async write(rows: readonly CallRow[], share: Pick<Share, 'user'> = serviceShare): Promise<(StoreError | undefined)[]> {
    return await this.writeLines(toCallLines(rows), share)
  }

  /**
   * See `CallWriter.writeLines`. What is acknowledged is visible after `settle`. Takes the lines over: the memory of their bytes is
   * given back when they are inserted.
   */
  async writeLines(lines: CallLines, share: Pick<Share, 'user'>): Promise<(StoreError | undefined)[]> {
    // What is refused must not be in the journal.
    const { failure: lostFolder } = this.store
    if (lostFolder) throw lostFolder
    const isLarge = lines.bytes.length > maxJournaledBytes
    if (lines.callIds.length === 0 || isLarge || this.retryCount > 0 || this.writer.isBehind(share.user, lines.projectIds)) {
      const rowErrors = await this.writer.writeLines(lines, share)
      freeBuffer(lines.bytes)
      return rowErrors
    }
    let isInserted = false
    let failure: unknown
    const attempt = this.writer.writeLines(lines, share, 'soon').then(
      (rowErrors) => {
        isInserted = true
        return rowErrors
      },
      (error: unknown) => {
        failure = error
        throw error
      },
    )
    attempt.catch(() => undefined) // awaited below, or by `insert`
    let release: () => void
    try {
      release = await this.journal.append(lines.bytes)
      if (this.store.failure) throw this.store.failure
    } catch (err) {
      // The engine says better why nothing can be stored, or stores it.
      if (!this.isJournalBroken) this.logger.error({ err }, 'the journal cannot be written: calls wait for their insert')
      this.isJournalBroken = true
      this.writer.hurry()
      return await attempt
    }
    if (this.isJournalBroken) this.logger.info('the journal can be written again')
    this.isJournalBroken = false
    if (isInserted || failure !== undefined) {
      release()
      return await attempt
    }
    void this.keepUntilInserted({ lines, user: share.user, attempt }, attempt, release)
    return []
  }

  /**
   * Resolves when every call of the project that was acknowledged before is visible to queries. Rejects with the `StoreError`
   * of a store that cannot insert now, and with a `DerivationBehindError` after some seconds.
   */
  async settle(projectId: string, { signal }: Pick<QueryOptions, 'signal'> = {}): Promise<void> {
    if (!this.replayAttempt && !this.pendingByProject.has(projectId)) return
    const isInserted = async () => {
      await this.replayAttempt
      const pending = this.pendingByProject.get(projectId)
      if (!pending) return
      this.writer.hurry()
      await Promise.all(pending.map(({ attempt }) => attempt))
    }
    await waitAsReader(isInserted(), { signal, maxWaitMs: this.times.maxReaderWaitMs })
  }

  async listUnsettledProjects({ signal }: Pick<QueryOptions, 'signal'> = {}): Promise<readonly string[]> {
    if (this.replayAttempt) await waitAsReader(this.replayAttempt, { signal, maxWaitMs: this.times.maxReaderWaitMs })
    return [...this.pendingByProject.keys()]
  }

  /** Inserts what the last process left in the journal. Never rejects; readers wait for it. */
  replay(): void {
    this.replaying = this.replayAll()
  }

  /** Accepts no more calls. What is not inserted after some seconds is inserted by the next process. */
  async close(): Promise<void> {
    this.closing.abort()
    await this.replaying
    await this.writer.close()
    await this.journal.close()
  }

  /** Never rejects. */
  private async keepUntilInserted(pending: Pending, attempt: Attempt, release: () => void): Promise<void> {
    const projectIds = new Set(pending.lines.projectIds)
    for (const projectId of projectIds) {
      const own = this.pendingByProject.get(projectId)
      if (own) own.push(pending)
      else this.pendingByProject.set(projectId, [pending])
    }
    if (!(await this.insert(pending, attempt))) return
    release()
    // Where an attempt failed, some of its rows may still wait.
    if (pending.attempt === attempt) freeBuffer(pending.lines.bytes)
    for (const projectId of projectIds) {
      const own = this.pendingByProject.get(projectId) ?? []
      own.splice(own.indexOf(pending), 1)
      if (own.length === 0) this.pendingByProject.delete(projectId)
    }
  }

  /** Tries until the calls are inserted; false where the service is closed before that. Never rejects. */
  private async insert(pending: Pending, firstAttempt: Attempt): Promise<boolean> {
    let attempt = firstAttempt
    for (let failures = 0; ; failures += 1) {
      try {
        await this.setAsideUnreadable(pending.lines, await attempt)
        return true
      } catch (err) {
        if (this.closing.signal.aborted) return false
        if (this.retryCount === 0) this.logger.error({ err }, 'acknowledged calls cannot be inserted, trying again')
        this.retryCount += 1
        await this.waitToRetry(failures)
        this.retryCount -= 1
        if (this.closing.signal.aborted) return false
        // They have waited long enough.
        attempt = this.writer.writeLines(pending.lines, pending)
        pending.attempt = attempt
      }
    }
  }

  private async waitToRetry(failures: number): Promise<void> {
    const ms = Math.min(this.times.minRetryMs * 2 ** failures, this.times.maxRetryMs)
    await wait(ms, undefined, { ref: false, signal: this.closing.signal }).catch(() => undefined) // closed
  }

  /** Validation should refuse such rows before they come here. They were acknowledged, so they are kept in a file. */
  private async setAsideUnreadable(lines: CallLines, rowErrors: readonly (StoreError | undefined)[]): Promise<void> {
    const unreadable = lines.ends.flatMap((_, index) => (rowErrors[index] ? [lineAt(lines, index)] : []))
    if (unreadable.length === 0) return
    const path = await this.journal.setAside(Buffer.concat(unreadable))
    this.logger.error({ count: unreadable.length, path }, 'the store cannot read acknowledged parts of calls: they are set aside')
  }

  private async replayAll(): Promise<void> {
    for (let failures = 0; !this.closing.signal.aborted; failures += 1) {
      this.replayAttempt = this.journal
        .replay((records) => this.insertRecords(records))
        .catch((error: unknown) => {
          throw toStoreError(error)
        })
      try {
        await this.replayAttempt
        this.replayAttempt = undefined
        return
      } catch (err) {
        if (this.closing.signal.aborted) return
        if (failures === 0) this.logger.error({ err }, 'calls of the last run could not be inserted, trying again')
        await this.waitToRetry(failures)
      }
    }
  }

  private async insertRecords(records: readonly Buffer[]): Promise<void> {
    const lines = records.flatMap(splitLines)
    for (let start = 0; start < lines.length; start += rowsPerReplay) {
      const some = readLines(lines.slice(start, start + rowsPerReplay))
      await this.setAsideUnreadable(some, await this.writer.writeLines(some, serviceShare))
    }
  }
}

const newline = 10

function splitLines(record: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < record.length;) {
    const end = record.indexOf(newline, start) + 1
    lines.push(record.subarray(start, end))
    start = end
  }
  return lines
}

function readLines(lines: readonly Buffer[]): CallLines {
  const stored = lines.map((line) => z.parse(StoredLine, JSON.parse(line.toString())))
  let end = 0
  return {
    bytes: Buffer.concat(lines),
    projectIds: stored.map(({ project_id: projectId }) => projectId),
    callIds: stored.map(({ id }) => id),
    ends: lines.map((line) => (end += line.length)),
  }
}
