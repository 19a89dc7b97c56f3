/** A request whose rows are inserted with those of others, maybe in several groups. */
export type UntakenRequest = { untakenCount: number }

/** Requests with rows that are in no group yet, and those of them that somebody waits for. */
export class UntakenRequests<Request extends UntakenRequest> {
  /** Their numbers, in the order in which they came. */
  private readonly numbers = new Map<Request, number>()
  private lastNumber = 0
  private hurriedUpTo = 0

  add(request: Request): void {
    this.lastNumber += 1
    this.numbers.set(request, this.lastNumber)
  }

  /** One of its rows is in a group now. */
  take(request: Request): void {
    request.untakenCount -= 1
    if (request.untakenCount === 0) this.delete(request)
  }

  delete(request: Request): void {
    this.numbers.delete(request)
  }

  /** Somebody waits for all that came so far, and for nothing that comes later. */
  hurry(): void {
    this.hurriedUpTo = this.lastNumber
  }

  get isHurried(): boolean {
    const [oldest] = this.numbers.values()
    return oldest !== undefined && oldest <= this.hurriedUpTo
  }
}
