/** Spans that were not stored, by reason: how many, and where the first of them stands in the request. */
export class Rejections {
  count = 0
  private readonly byReason = new Map<string, { count: number; firstPlace: string }>()

  add(reason: string, place: string): void {
    this.count += 1
    const known = this.byReason.get(reason)
    if (known) known.count += 1
    else if (this.byReason.size < mostReasons) this.byReason.set(reason, { count: 1, firstPlace: place })
  }

  /** One line a reason, the first few. */
  lines(): string[] {
    return [...this.byReason].map(([reason, { count, firstPlace }]) =>
      count === 1 ? `${reason} (${firstPlace})` : `${reason} (${count} spans, the first is ${firstPlace})`,
    )
  }

  /** For `partialSuccess.errorMessage`. */
  message(spanCount: number): string {
    return [`${this.count} of ${spanCount} spans were not stored.`, ...this.lines()].join(' ')
  }
}

const mostReasons = 10
