const maxReasons = 10

/** Counts the spans that were not stored by reason, with the place of the first one. */
export class RejectedSpans {
  count = 0
  private readonly byReason = new Map<string, { count: number; firstPlace: string }>()

  add(reason: string, place: string): void {
    this.count += 1
    const entry = this.byReason.get(reason)
    if (entry) entry.count += 1
    else if (this.byReason.size < maxReasons) this.byReason.set(reason, { count: 1, firstPlace: place })
  }

  /** One line for each of the first reasons. */
  lines(): string[] {
    return [...this.byReason].map(([reason, { count, firstPlace }]) =>
      count === 1 ? `${reason} (${firstPlace})` : `${reason} (${count} spans, the first is ${firstPlace})`,
    )
  }

  /** For `partialSuccess.errorMessage`. */
  toErrorMessage(spanCount: number): string {
    return [`${this.count} of ${spanCount} spans were not stored.`, ...this.lines()].join(' ')
  }
}
