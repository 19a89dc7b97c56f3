const codes = {
  newline: 0x0a,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  brace: 0x7b,
  braceEnd: 0x7d,
}

/**
 * Rewrites a JSON list that arrives in pieces, so that each element is a line. It parses nothing: a list of 100,000 rows is
 * read while it arrives, and not in one task at its end.
 *
 * @example new ListSplitter(1).toLines(encode('[{"a":1},\n{"a":2}]')) // ' {"a":1}\n {"a":2}\n'
 */
export class ListSplitter {
  private depth = 0
  private isInString = false
  private isEscaped = false
  private hasEnded = false

  /** `listDepth`: 1 for `[...]`, 2 for `{"threads":[...]}`. */
  constructor(private readonly listDepth: 1 | 2) {}

  /** Whether the closing bracket has come. */
  get isComplete(): boolean {
    return this.hasEnded
  }

  toLines(chunk: Uint8Array): Uint8Array {
    const lines = chunk.slice()
    for (let index = 0; index < chunk.length; index += 1) lines[index] = this.replace(chunk[index] ?? codes.space)
    return lines
  }

  private replace(code: number): number {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false
      else if (code === codes.backslash) this.isEscaped = true
      else if (code === codes.quote) this.isInString = false
      return this.isInList ? code : codes.space
    }
    const wasInList = this.isInList
    if (code === codes.open || code === codes.brace) this.depth += 1
    else if (code === codes.close || code === codes.braceEnd) this.depth -= 1
    else if (code === codes.quote) this.isInString = true
    else if (code === codes.comma && wasInList && this.depth === this.listDepth) return codes.newline
    else if (code === codes.newline) return codes.space
    if (!this.isInList) {
      this.hasEnded ||= wasInList
      return wasInList ? codes.newline : codes.space
    }
    return wasInList ? code : codes.space
  }

  private get isInList(): boolean {
    return this.depth >= this.listDepth && !this.hasEnded
  }
}
