const partsPerMerge = 1024
/** A chunk costs about 200 bytes beside its content, so larger ones are not worth a copy. */
const minOwnPartBytes = 4096

/**
 * The chunks of a body, joined once at the end. Small ones are merged as they come: a body in chunks of one byte each
 * would otherwise take 200 times its size.
 */
export class BodyParts {
  private readonly merged: Uint8Array[] = []
  private recent: Uint8Array[] = []
  private recentBytes = 0

  add(chunk: Uint8Array): void {
    this.recent.push(chunk)
    this.recentBytes += chunk.length
    if (this.recent.length < partsPerMerge) return
    if (this.recentBytes < partsPerMerge * minOwnPartBytes) this.merged.push(Buffer.concat(this.recent))
    else this.merged.push(...this.recent)
    this.recent = []
    this.recentBytes = 0
  }

  /** One buffer, which no other part of the process uses. */
  join(): Uint8Array<ArrayBuffer> {
    const parts = [...this.merged, ...this.recent]
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
    let offset = 0
    for (const part of parts) {
      bytes.set(part, offset)
      offset += part.length
    }
    return bytes
  }
}
