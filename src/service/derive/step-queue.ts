/**
 * `reader`: somebody waits for it. `background`: nobody does. `careful`: it may take long, or may fail; one at a time, so
 * that the others keep a slot.
 */
export type Lane = 'reader' | 'background' | 'careful'

/** At most this many steps of readers run at once, and as many others. */
const maxRunning = 2

/** In which order the lanes without readers are looked at: nobody waits forever. */
const otherLanes: readonly (readonly Lane[])[] = [
  ['background', 'careful'],
  ['careful', 'background'],
]

/**
 * Runs steps of many projects in the order in which they were added to a lane. Whoever has more to do adds itself again at the
 * end. The other lanes take turns, and a reader's step does not wait for them. But their steps slow it down: so while readers
 * are served, one step of the other lanes runs at a time, and after it none for as long as it took.
 */
export class StepQueue<Entry> {
  private readonly lanes: Record<Lane, Set<Entry>> = { reader: new Set(), background: new Set(), careful: new Set() }
  private readonly running = new Set<Promise<void>>()
  private isCarefulRunning = false
  private readersRunning = 0
  /** How many steps run for which nobody waits. */
  private othersRunning = 0
  private othersPauseUntilMs = 0
  private turn = 0
  private isStarting = false
  private isClosed = false

  /** `start` begins a step with `first` and any of `others`, which it must delete from the queue. */
  constructor(private readonly start: (first: Entry, lane: Lane, others: Iterable<Entry>) => Promise<void> | undefined) {}

  /** Adds it, or moves it to this lane. */
  add(entry: Entry, lane: Lane): void {
    if (this.lanes[lane].has(entry)) return
    this.delete(entry)
    this.lanes[lane].add(entry)
    this.startSoon()
  }

  /** Moves what waits in the background to the readers. */
  hurry(isAwaited: (entry: Entry) => boolean): void {
    for (const entry of this.lanes.background) if (isAwaited(entry)) this.add(entry, 'reader')
  }

  delete(entry: Entry): void {
    for (const lane of Object.values(this.lanes)) lane.delete(entry)
  }

  has(entry: Entry): boolean {
    return Object.values(this.lanes).some((lane) => lane.has(entry))
  }

  /** Starts no more steps. Resolves when those that run have ended. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.running)
  }

  /** Not at once: what is added in the same moment shares a step. */
  private startSoon(): void {
    if (this.isStarting) return
    this.isStarting = true
    setImmediate(() => {
      this.isStarting = false
      this.startSteps()
    })
  }

  private startSteps(): void {
    while (!this.isClosed) {
      const lane = this.chooseLane()
      const [first] = lane ? this.lanes[lane] : []
      if (lane === undefined || first === undefined) return
      this.lanes[lane].delete(first)
      const step = this.start(first, lane, this.lanes[lane])
      if (step) this.follow(step, lane)
    }
  }

  private chooseLane(): Lane | undefined {
    const other = this.mayOtherBegin() ? this.chooseOtherLane() : undefined
    return other ?? (this.lanes.reader.size > 0 && this.readersRunning < maxRunning ? 'reader' : undefined)
  }

  private mayOtherBegin(): boolean {
    const isServingReaders = this.readersRunning > 0 || this.lanes.reader.size > 0
    if (!isServingReaders) return this.othersRunning < maxRunning
    return this.othersRunning === 0 && performance.now() >= this.othersPauseUntilMs
  }

  private chooseOtherLane(): Lane | undefined {
    this.turn += 1
    const lanes = otherLanes[this.turn % otherLanes.length] ?? []
    return lanes.find((lane) => this.lanes[lane].size > 0 && !(lane === 'careful' && this.isCarefulRunning))
  }

  private follow(step: Promise<void>, lane: Lane): void {
    if (lane === 'careful') this.isCarefulRunning = true
    if (lane === 'reader') this.readersRunning += 1
    else this.othersRunning += 1
    const beganMs = performance.now()
    const running = step.finally(() => {
      this.running.delete(running)
      if (lane === 'careful') this.isCarefulRunning = false
      if (lane === 'reader') this.readersRunning -= 1
      else {
        this.othersRunning -= 1
        const nowMs = performance.now()
        this.othersPauseUntilMs = nowMs + (nowMs - beganMs)
        // The steps of readers may run longer than the pause.
        setTimeout(() => this.startSoon(), Math.ceil(nowMs - beganMs)).unref()
      }
      this.startSoon()
    })
    this.running.add(running)
  }
}
