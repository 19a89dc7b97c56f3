import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './store-error'

/** The part of the service's logger that the store uses. */
export type StoreLogger = Record<'info' | 'error', (fields: object, message: string) => void>

const checkIntervalMs = 1000

/** What keeps a disk from being written. By errno, which is the same on Linux and macOS for these. */
const diskProblems = new Map([
  [5, { log: 'the disk has an input/output error', client: 'The disk of this service is failing.' }],
  [13, { log: 'this user may not write its files any more', client: 'The service may not write its files.' }],
  [23, { log: 'the machine has too many open files', client: 'The service has too many open files.' }],
  [24, { log: 'the process has too many open files (see ulimit -n)', client: 'The service has too many open files.' }],
  [28, { log: 'the disk is full', client: 'The disk of this service is full.' }],
  [30, { log: 'the disk is read-only', client: 'The disk of this service is read-only.' }],
])
const noSpaceErrno = 28

/** NOT_ENOUGH_SPACE: the engine found too little space before it wrote. */
const noSpaceCode = 243
// Errors about files in ClickHouse's ErrorCodes.cpp, whose text ends in an errno. Other texts may quote what clients sent.
const fileCodes = new Set([74, 75, 76, 77, 88, 107, 172, 204, 214, 294, 424, 425, 458, 586, 641, 1001])

const errnoByText = new Map([
  ['Input/output error', 5],
  ['Permission denied', 13],
  ['Too many open files in system', 23],
  ['Too many open files', 24],
  ['No space left on device', 28],
  ['Read-only file system', 30],
])

/**
 * Knows whether the embedded engine can still use its folder. The engine itself does not: it goes on writing into a folder
 * that was deleted, and creates its directories anew below the mount point of a disk that was unmounted.
 */
export class FolderGuard {
  private readonly lockPath: string
  private readonly identity: string | undefined
  private lost: StoreError | undefined
  private isBack = false
  private isClosed = false
  private problemErrno: number | undefined
  private readonly timer: NodeJS.Timeout

  /** `lockName` is a file that the engine keeps open, so no other file can get its inode number. */
  constructor(
    private readonly folder: string,
    private readonly logger?: StoreLogger,
    lockName = 'store/status',
  ) {
    this.lockPath = join(folder, lockName)
    this.identity = this.readIdentity()
    this.timer = setInterval(() => this.check(), checkIntervalMs)
    this.timer.unref()
  }

  /** Why nothing can be read or written, if so. It lasts until a restart: the engine's memory no longer fits the folder. */
  get failure(): StoreError | undefined {
    this.check()
    return this.lost
  }

  /** Throws the failure. It costs a few microseconds, so it is called before and after every statement. */
  requireFolder(): void {
    const { failure } = this
    if (failure) throw failure
  }

  /** An insert has succeeded. */
  confirmWrite(): void {
    if (this.problemErrno === undefined) return
    this.problemErrno = undefined
    this.logger?.info({ folder: this.folder, freeBytes: this.readFreeBytes() }, 'the data folder can be written again')
  }

  /** The error of a statement as clients should see it. */
  explain(error: StoreError): StoreError {
    if (this.failure) return this.failure
    const errno = readErrno(error)
    const problem = errno === undefined ? undefined : diskProblems.get(errno)
    if (errno === undefined || !problem) return error
    const freeBytes = this.readFreeBytes()
    if (this.problemErrno !== errno) {
      this.problemErrno = errno
      this.logger?.error({ folder: this.folder, freeBytes }, `nothing can be stored: ${problem.log}`)
    }
    const message = `Nothing can be stored in ${this.folder}: ${problem.log} (${freeBytes ?? 'unknown'} bytes free)`
    return new StoreError('unavailable', message, {
      cause: error.cause,
      code: error.code,
      clientMessage: `${problem.client} Nothing of this request is stored or read. Send it again later.`,
    })
  }

  /** The lock goes with the store: that it is not there any more is no news. */
  close(): void {
    this.isClosed = true
    clearInterval(this.timer)
  }

  private check(): void {
    if (this.isClosed) return
    const isThere = this.readIdentity() === this.identity
    if (!isThere && !this.lost) {
      const text = `the data folder ${this.folder} is gone: it was deleted, moved or unmounted, or may not be read any more`
      this.logger?.error({}, `${text}. Nothing is read or stored. Put it back, then restart Spool.`)
      this.lost = new StoreError('unavailable', text, {
        clientMessage:
          'The data folder of this service is gone. Nothing is stored until its operator puts it back and restarts the service.',
      })
    }
    if (isThere && this.lost && !this.isBack) {
      this.isBack = true
      this.logger?.error({}, `the data folder ${this.folder} is back. Restart Spool to use it.`)
    }
  }

  private readIdentity(): string | undefined {
    try {
      const { dev, ino } = statSync(this.lockPath)
      return `${dev}:${ino}`
    } catch {
      return undefined // deleted, unmounted or not accessible: it differs from every identity
    }
  }

  private readFreeBytes(): number | null {
    try {
      const { bavail, bsize } = statfsSync(this.folder)
      return bavail * bsize
    } catch {
      return null
    }
  }
}

function isFileError(cause: unknown): cause is Error & { errno: number } {
  return cause instanceof Error && 'path' in cause && 'errno' in cause && typeof cause.errno === 'number'
}

function readErrno({ code, cause }: StoreError): number | undefined {
  if (code === noSpaceCode) return noSpaceErrno
  // Of Node's own file operations; errors of connections have no path.
  if (isFileError(cause)) return Math.abs(cause.errno)
  if (code === undefined || !fileCodes.has(code) || !(cause instanceof Error)) return undefined
  const number = /errno: (\d+)/.exec(cause.message)?.[1]
  if (number !== undefined) return Number(number)
  for (const [text, errno] of errnoByText) if (cause.message.includes(text)) return errno
  return undefined
}
