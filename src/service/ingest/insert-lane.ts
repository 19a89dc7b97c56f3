type LaneOptions<Row> = {
  /** Whether rows wait that this lane inserts. */
  hasRows: () => boolean
  /** Whether they are enough for a group, so that waiting for more is of no use. */
  isFull: () => boolean
  /** Whether somebody waits for rows that this lane or another one has to insert. */
  isHurried: () => boolean
  /** The next group; empty where the rows cannot be inserted now. */
  take: () => Row[]
  /** Never rejects. */
  insert: (group: Row[]) => Promise<void>
  /** Resolves when rows may be inserted that could not be before. */
  waitForCapacity: () => Promise<void>
  /** How long the rows that wait now may wait for others, where nobody waits for them. */
  maxDelayMs: () => number
}

/** Inserts pending rows, one group after the other. */
export class InsertLane<Row> {
  private running: Promise<void> | undefined
  private endDelay = () => {}
  private shortenDelay: (ms: number) => void = () => {}
  private wakeUp = () => {}

  constructor(private readonly options: LaneOptions<Row>) {}

  /** Sees to it that the rows are inserted. Call it again when more have come: `maxDelayMs` is how long these may wait for others. */
  start(maxDelayMs = Infinity): void {
    if (this.options.isHurried() || this.options.isFull()) this.endDelay()
    else this.shortenDelay(maxDelayMs)
    this.wakeUp()
    this.running ??= this.run()
  }

  get isRunning(): boolean {
    return this.running !== undefined
  }

  /** Resolves when all that is pending is inserted. */
  async finish(): Promise<void> {
    await this.running
  }

  private async run(): Promise<void> {
    const { hasRows, isFull, isHurried, take, insert } = this.options
    // Rows written in one tick of the event loop form one group even when no insert is running.
    await Promise.resolve()
    while (hasRows()) {
      if (!isHurried() && !isFull()) await this.delay()
      const group = take()
      if (group.length > 0) await insert(group)
      else if (hasRows()) await this.waitForCapacity()
    }
    this.running = undefined
  }

  private async delay(): Promise<void> {
    await new Promise<void>((resolve) => {
      let timer: NodeJS.Timeout | undefined
      let endMs = Infinity
      this.shortenDelay = (ms) => {
        const end = performance.now() + ms
        if (end >= endMs) return
        endMs = end
        clearTimeout(timer)
        timer = setTimeout(resolve, ms)
      }
      this.endDelay = () => {
        clearTimeout(timer)
        resolve()
      }
      this.shortenDelay(this.options.maxDelayMs())
    })
    this.endDelay = () => {}
    this.shortenDelay = () => {}
  }

  /** New rows end the wait too: they may be of other projects. */
  private async waitForCapacity(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wakeUp = resolve
      void this.options.waitForCapacity().then(resolve)
    })
    this.wakeUp = () => {}
  }
}
