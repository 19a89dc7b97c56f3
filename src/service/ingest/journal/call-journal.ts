import { appendFile, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { decodeRecords, encodeRecord } from './journal-records'
import { JournalSegment } from './journal-segment'

type Waiting = { content: Uint8Array; resolve: (release: () => void) => void; reject: (error: unknown) => void }

const mebibyte = 1024 * 1024
/** A start reads each file whole. */
const maxSegmentBytes = 16 * mebibyte
const maxBytesPerWrite = mebibyte
/** What is acknowledged must fit into the tables too, or nobody could read its project until there is space again. */
const minFreeBytes = 64 * mebibyte

/**
 * Files in which requests are on disk before the engine has stored them: one write and one `fdatasync` for all that
 * wait, where an insert of the engine makes and syncs dozens of files. A process that ends before the engine has stored a
 * record leaves it for the next start.
 */
export class CallJournal {
  private waiting: Waiting[] = []
  private committing: Promise<void> | undefined
  private segment: JournalSegment | undefined

  private constructor(
    private readonly folder: string,
    private readonly logger: Logger,
    /** What earlier processes left, oldest first. */
    private readonly leftNames: readonly string[],
    private nextNumber: number,
  ) {}

  static async open(folder: string, logger: Logger): Promise<CallJournal> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const names = (await readdir(folder)).filter((name) => /^\d{12}\.log$/.test(name)).toSorted()
    return new CallJournal(folder, logger, names, Number(names.at(-1)?.slice(0, 12) ?? 0) + 1)
  }

  /**
   * What earlier processes left, file by file: hands the records of each to `store`, and removes the file when that resolves.
   * Rejects with what `store` rejects with, and then goes on at the same file when it is called again.
   */
  async replay(store: (records: readonly Buffer[]) => Promise<void>): Promise<void> {
    for (const name of this.leftNames) {
      const path = join(this.folder, name)
      const bytes = await readFile(path).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined // an earlier call removed it
        throw error
      })
      if (!bytes) continue
      const records = [...decodeRecords(bytes)]
      await store(records)
      await rm(path)
      const count = records.length
      if (count > 0) this.logger.info({ count }, 'requests that the last process left in the journal are stored')
    }
  }

  /**
   * Resolves when the bytes are on disk, with a function to call when they are stored elsewhere. Rejects with the error of the
   * file system, or where too little space is left; then they are not in the journal.
   */
  async append(content: Uint8Array): Promise<() => void> {
    const written = new Promise<() => void>((resolve, reject) => this.waiting.push({ content, resolve, reject }))
    this.committing ??= this.commitAll()
    return await written
  }

  /** Keeps lines that can never be stored elsewhere. Returns the path of their file. */
  async setAside(lines: Uint8Array): Promise<string> {
    const path = join(this.folder, 'unreadable.jsonl')
    await appendFile(path, lines, { mode: 0o600, flush: true })
    return path
  }

  async close(): Promise<void> {
    await this.committing
    await this.segment?.finish()
  }

  /** Never rejects. */
  private async commitAll(): Promise<void> {
    // Requests of one tick of the event loop are one write.
    await Promise.resolve()
    while (this.waiting.length > 0) await this.commit(this.takeNext())
    this.committing = undefined
  }

  private takeNext(): Waiting[] {
    let byteCount = 0
    const end = this.waiting.findIndex(({ content }) => (byteCount += content.length) > maxBytesPerWrite)
    return this.waiting.splice(0, end === -1 ? this.waiting.length : Math.max(end, 1))
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.requireSpace()
      const segment = await this.openSegment()
      await segment.append(
        batch.flatMap(({ content }) => encodeRecord(content)),
        batch.length,
      )
      for (const { resolve } of batch) resolve(() => segment.release())
    } catch (error) {
      await this.segment?.finish()
      this.segment = undefined
      for (const { reject } of batch) reject(error)
    }
  }

  private async requireSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder)
    const freeBytes = bavail * bsize
    if (freeBytes < minFreeBytes) throw new Error(`The disk has ${freeBytes} bytes left, and the journal needs ${minFreeBytes}.`)
  }

  private async openSegment(): Promise<JournalSegment> {
    if (this.segment && this.segment.size < maxSegmentBytes) return this.segment
    await this.segment?.finish()
    this.segment = undefined
    const path = join(this.folder, `${String(this.nextNumber).padStart(12, '0')}.log`)
    this.nextNumber += 1
    const onRemoveFailed = (err: unknown) => this.logger.warn({ err }, 'a file of the journal could not be removed')
    this.segment = await JournalSegment.create(this.folder, path, onRemoveFailed)
    return this.segment
  }
}
