import type { Screen } from './screen'
import { amount, counted, duration, size } from './amount'

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
    // What matters least stands last: a narrow terminal cuts it off.
    if (this.screen.isInteractive) this.screen.draw(`${this.bar()} ${this.state()}, ${this.file.name}`)
    else this.screen.say(`${this.file.name}: ${this.state()}`)
  }

  private get share(): number {
    return this.file.size === 0 ? 1 : Math.min(1, this.passedBytes / this.file.size)
  }

  private bar(): string {
    const full = Math.round(this.share * barWidth)
    return `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}]`
  }

  private state(): string {
    const { size: fileSize, unit, passedBytes: before } = this.file
    const seconds = (this.now() - this.startedAt) / 1000
    const bytesPerSecond = (this.passedBytes - before) / seconds
    const left = bytesPerSecond > 0 ? `, ${duration((fileSize - this.passedBytes) / bytesPerSecond)} left` : ''
    return (
      `${Math.floor(this.share * 100)} %${left}, ${counted(this.stored, unit)}, ${amount(Math.round(this.stored / seconds))}/s, ` +
      `${amount(this.problems)} refused, ${size(this.passedBytes)} of ${size(fileSize)}`
    )
  }
}
