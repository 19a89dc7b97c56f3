export type TextStream = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const sayEveryMs = 5000

/** Standard error of a person: lines above, and below them one status line that is drawn over again. */
export class Screen {
  private status = ''
  private waitToldAt: number

  constructor(
    private readonly stream: TextStream,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.waitToldAt = now()
  }

  get isInteractive(): boolean {
    return this.stream.isTTY === true
  }

  say(line: string): void {
    const status = this.status
    this.clear()
    this.stream.write(`${printable(line)}\n`)
    if (status !== '') this.draw(status)
  }

  /** Draws the status line anew; on a terminal only. */
  draw(status: string): void {
    if (!this.isInteractive) return
    // One column is left free: a full line would wrap and could not be drawn over.
    this.status = Array.from(printable(status))
      .slice(0, (this.stream.columns ?? 80) - 1)
      .join('')
    this.stream.write(`\r\u001b[2K${this.status}`)
  }

  /** Why nothing happens for now: on the status line, elsewhere in a line every few seconds. */
  wait(because: string): void {
    if (this.isInteractive) return this.draw(`Waiting: ${because}`)
    if (this.now() - this.waitToldAt < sayEveryMs) return
    this.waitToldAt = this.now()
    this.say(`Waiting: ${because}`)
  }

  clear(): void {
    if (this.status !== '') this.stream.write('\r\u001b[2K')
    this.status = ''
  }
}

/** Text from a file must not steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
