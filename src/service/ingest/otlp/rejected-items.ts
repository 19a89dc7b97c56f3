const maxReasons = 10

/** Counts the spans or log records that were not stored by reason, with the place of the first one. */
export class RejectedItems {
  count = 0
  private readonly byReason = new Map<string, { count: number; firstPlace: string }>()

  /** `names`: what they are, such as 'spans'. */
  constructor(private readonly names: string) {}

  add(reason: string, place: string): void {
    this.count += 1
    const entry = this.byReason.get(reason)
    if (entry) entry.count += 1
    else if (this.byReason.size < maxReasons) this.byReason.set(reason, { count: 1, firstPlace: place })
  }

  /** One line for each of the first reasons. */
  lines(): string[] {
    return [...this.byReason].map(([reason, { count, firstPlace }]) =>
      count === 1 ? `${reason} (${firstPlace})` : `${reason} (${count} ${this.names}, the first is ${firstPlace})`,
    )
  }

  /** For `partialSuccess.errorMessage`. */
  toErrorMessage(itemCount: number): string {
    return [`${this.count} of ${itemCount} ${this.names} were not stored.`, ...this.lines()].join(' ')
  }
}
