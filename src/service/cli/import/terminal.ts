export type OutputStream = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const redrawEveryMs = 100
const printEveryMs = 5000
const clearLine = '\r\u001b[2K'

/** Standard error: lines, and the status below them. Only a terminal shows the status all the time. */
export class Terminal {
  private status = ''
  private shownAt: number

  constructor(
    private readonly stream: OutputStream,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.shownAt = now()
  }

  print(line: string): void {
    const status = this.status
    this.clearStatus()
    this.stream.write(`${toPrintable(line)}\n`)
    if (status !== '') this.draw(status)
  }

  /** Rewrites the status line of a terminal. Elsewhere prints a line every few seconds. */
  showStatus(status: string): void {
    const isTerminal = this.stream.isTTY === true
    if (this.now() - this.shownAt < (isTerminal ? redrawEveryMs : printEveryMs)) return
    this.shownAt = this.now()
    if (isTerminal) this.draw(status)
    else this.print(status)
  }

  clearStatus(): void {
    if (this.status !== '') this.stream.write(clearLine)
    this.status = ''
  }

  private draw(status: string): void {
    // A line that fills the terminal would wrap, and a wrapped line cannot be rewritten. Some terminals report 0 columns.
    this.status = Array.from(toPrintable(status))
      .slice(0, (this.stream.columns || 80) - 1)
      .join('')
    this.stream.write(`${clearLine}${this.status}`)
  }
}

/** Replaces control characters: text from a file must not control the terminal. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
