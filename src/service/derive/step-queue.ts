/**
 * `reader`: somebody waits for it. `background`: nobody does. `careful`: it may take long, or may fail; one at a time, so
 * that the others keep a slot.
 */
export type Lane = 'reader' | 'background' | 'careful'

/** Together with the insert of calls this is what the write sessions of the embedded engine run at once. */
const maxRunning = 2

/** In which order the lanes are looked at where somebody's step may wait: nobody waits forever. */
const readersFirst: readonly Lane[] = ['reader', 'background', 'careful']
const othersFirst: readonly (readonly Lane[])[] = [
  ['background', 'careful', 'reader'],
  ['careful', 'background', 'reader'],
]

/**
 * Runs steps of many projects, two at once, in the order in which they were added to a lane. Whoever has more to do adds
 * itself again at the end. While readers wait, one of the two steps is always for them; the other is for the other lanes,
 * in turn.
 */
export class StepQueue<Entry> {
  private readonly lanes: Record<Lane, Set<Entry>> = { reader: new Set(), background: new Set(), careful: new Set() }
  private readonly running = new Set<Promise<void>>()
  private isCarefulRunning = false
  /** How many steps run for which nobody waits. */
  private othersRunning = 0
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
    while (!this.isClosed && this.running.size < maxRunning) {
      const lane = this.chooseLane()
      const [first] = lane ? this.lanes[lane] : []
      if (lane === undefined || first === undefined) return
      this.lanes[lane].delete(first)
      const step = this.start(first, lane, this.lanes[lane])
      if (step) this.follow(step, lane)
    }
  }

  private chooseLane(): Lane | undefined {
    if (this.othersRunning === 0) this.turn += 1
    const lanes = this.othersRunning > 0 ? readersFirst : (othersFirst[this.turn % othersFirst.length] ?? [])
    return lanes.find((lane) => this.lanes[lane].size > 0 && !(lane === 'careful' && this.isCarefulRunning))
  }

  private follow(step: Promise<void>, lane: Lane): void {
    if (lane === 'careful') this.isCarefulRunning = true
    if (lane !== 'reader') this.othersRunning += 1
    const running = step.finally(() => {
      this.running.delete(running)
      if (lane === 'careful') this.isCarefulRunning = false
      if (lane !== 'reader') this.othersRunning -= 1
      this.startSoon()
    })
    this.running.add(running)
  }
}
