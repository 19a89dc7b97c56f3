const rememberedMs = 30_000

/** Which projects somebody has read within the last half minute, and will probably read again: an open page asks every few seconds. */
export class RecentReads {
  /** In the order of the reads. */
  private readonly readMsByProject = new Map<string, number>()

  constructor(private readonly nowMs = () => performance.now()) {}

  note(projectId: string): void {
    this.readMsByProject.delete(projectId)
    this.readMsByProject.set(projectId, this.nowMs())
    for (const other of this.readMsByProject.keys()) {
      if (this.has(other)) break
      this.readMsByProject.delete(other)
    }
  }

  has(projectId: string): boolean {
    const readMs = this.readMsByProject.get(projectId)
    return readMs !== undefined && this.nowMs() - readMs < rememberedMs
  }
}
