import { type FileHandle, open, rm } from 'node:fs/promises'

/** A file of the journal, and how many of its records are not stored elsewhere yet. */
export class JournalSegment {
  /** So many bytes are on disk. */
  size = 0
  private pendingCount = 0
  private isFull = false

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly onRemoveFailed: (err: unknown) => void,
  ) {}

  static async create(folder: string, path: string, onRemoveFailed: (err: unknown) => void): Promise<JournalSegment> {
    const segment = new JournalSegment(path, await open(path, 'wx', 0o600), onRemoveFailed)
    try {
      // Without this a power cut may take the new file out of its folder.
      await syncFolder(folder)
      return segment
    } catch (error) {
      await segment.finish()
      throw error
    }
  }

  /**
   * Resolves when the bytes are on disk. After it rejected, nothing may be appended any more: nobody knows what the system
   * keeps of pages that it failed to write.
   */
  async append(parts: readonly Uint8Array[], recordCount: number): Promise<void> {
    const byteCount = parts.reduce((sum, part) => sum + part.length, 0)
    try {
      const { bytesWritten } = await this.file.writev([...parts], this.size)
      if (bytesWritten !== byteCount) throw new Error(`The disk took ${bytesWritten} of ${byteCount} bytes.`)
      await this.file.datasync()
    } catch (error) {
      // So that no later start finds records that were refused. Where this fails too, it finds some: a call that is stored
      // although its sender was told otherwise, and that counts once however often it is sent.
      await this.file.truncate(this.size).catch(() => undefined)
      throw error
    }
    this.size += byteCount
    this.pendingCount += recordCount
  }

  /** A record is stored elsewhere. The file is removed when all are. */
  release(): void {
    this.pendingCount -= 1
    this.removeIfDone()
  }

  /** Takes no more records. */
  async finish(): Promise<void> {
    if (this.isFull) return
    this.isFull = true
    await this.file.close().catch(this.onRemoveFailed)
    this.removeIfDone()
  }

  private removeIfDone(): void {
    if (this.isFull && this.pendingCount === 0) void rm(this.path, { force: true }).catch(this.onRemoveFailed)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
