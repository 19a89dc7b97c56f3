import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Screen } from './screen'
import type { LineProblem } from './outcome'

const mostShown = 20
const mostCharacters = 500

/** The refused lines of one file: all of them in a report of JSON lines, the first ones on the screen. */
export class ProblemReport {
  private file: FileHandle | undefined
  private shown = 0

  private constructor(
    readonly path: string,
    private readonly fileName: string,
    private readonly screen: Screen,
    private length: number,
  ) {}

  /** Opens the report with `length` bytes of an earlier run kept; without any it is made anew when there is a problem. */
  static async open(path: string, fileName: string, screen: Screen, length: number): Promise<ProblemReport> {
    const report = new ProblemReport(path, fileName, screen, length)
    if (length > 0) await report.opened()
    else await rm(path, { force: true })
    return report
  }

  get bytes(): number {
    return this.length
  }

  async add(problems: readonly LineProblem[]): Promise<void> {
    if (problems.length === 0) return
    const told = problems.map(({ line, msg }) => ({
      line,
      msg: msg.length > mostCharacters ? `${msg.slice(0, mostCharacters)}…` : msg,
    }))
    for (const { line, msg } of told.slice(0, Math.max(0, mostShown - this.shown)))
      this.screen.say(`${this.fileName}:${line}: ${msg}`)
    if (this.shown < mostShown && this.shown + told.length > mostShown) {
      this.screen.say(`More lines are refused; all of them are in ${this.path}`)
    }
    this.shown += told.length
    const file = await this.opened()
    const bytes = Buffer.from(told.map((problem) => `${JSON.stringify({ file: this.fileName, ...problem })}\n`).join(''))
    await file.write(bytes, 0, bytes.length, this.length)
    this.length += bytes.length
  }

  async close(): Promise<void> {
    await this.file?.close()
  }

  /** What a run that was killed wrote after its last checkpoint is written again. */
  private async opened(): Promise<FileHandle> {
    if (this.file) return this.file
    this.file = await open(this.path, this.length > 0 ? 'r+' : 'w', 0o600)
    if (this.length > 0) await this.file.truncate(this.length)
    return this.file
  }
}
