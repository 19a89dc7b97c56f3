import type { Screen } from './screen'
import { amount, duration, size } from './amount'

const drawEveryMs = 100
const sayEveryMs = 5000
const barWidth = 20

/** How far one file has come: a bar on a terminal, a line every few seconds elsewhere. */
export class Progress {
  private readonly startedAt: number
  private lastTold: number
  private stored = 0
  private problems = 0
  private passedBytes: number

  constructor(
    private readonly screen: Screen,
    private readonly file: { name: string; size: number; unit: string; passedBytes: number },
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now()
    this.lastTold = this.startedAt
    this.passedBytes = file.passedBytes
  }

  /** `passedBytes` of the file's own are read, and of what was in them these became of. */
  add(stored: number, problems: number, passedBytes: number): void {
    this.stored += stored
    this.problems += problems
    this.passedBytes = passedBytes
    if (this.now() - this.lastTold < (this.screen.isInteractive ? drawEveryMs : sayEveryMs)) return
    this.lastTold = this.now()
    if (this.screen.isInteractive) this.screen.draw(`${this.bar()} ${this.line()}`)
    else this.screen.say(this.line())
  }

  private get share(): number {
    return this.file.size === 0 ? 1 : Math.min(1, this.passedBytes / this.file.size)
  }

  private bar(): string {
    const full = Math.round(this.share * barWidth)
    return `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}]`
  }

  private line(): string {
    const { name, size: fileSize, unit, passedBytes: before } = this.file
    const seconds = (this.now() - this.startedAt) / 1000
    const bytesPerSecond = (this.passedBytes - before) / seconds
    const left = bytesPerSecond > 0 ? `, ${duration((fileSize - this.passedBytes) / bytesPerSecond)} left` : ''
    return (
      `${name}: ${Math.floor(this.share * 100)} %, ${size(this.passedBytes)} of ${size(fileSize)}, ` +
      `${amount(this.stored)} ${unit} (${amount(Math.round(this.stored / seconds))}/s), ${amount(this.problems)} refused${left}`
    )
  }
}
