import type { FileHandle } from 'node:fs/promises'
import type { LineProblem } from '../../../contract/price-files/format-problems'
import type { Terminal } from './terminal'

export const maxPrintedLines = 20
const maxPrintedCharacters = 500

/** The refused lines of one file: prints the first ones, and writes all of them to the report if there is one. */
export class RefusedLines {
  count = 0

  constructor(
    private readonly fileName: string,
    private readonly terminal: Terminal,
    private readonly report: Pick<FileHandle, 'appendFile'> | undefined,
  ) {}

  async add(problems: readonly LineProblem[]): Promise<void> {
    for (const { line, msg } of problems.slice(0, Math.max(0, maxPrintedLines - this.count))) {
      const text = msg.length > maxPrintedCharacters ? `${msg.slice(0, maxPrintedCharacters)}…` : msg
      this.terminal.print(`${this.fileName}:${line}: ${text}`)
    }
    this.count += problems.length
    await this.report?.appendFile(problems.map((each) => `${JSON.stringify({ file: this.fileName, ...each })}\n`).join(''))
  }
}
