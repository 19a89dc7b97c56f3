/**
 * Runs out once after `leftMs`, in which the time between `pause` and `resume` does not count. It begins at once; call `pause` when it
 * is not needed any more.
 */
export class ActiveTimer {
  private timer: NodeJS.Timeout | undefined
  private resumedMs = 0

  constructor(
    private leftMs: number,
    private readonly onEnd: () => void,
  ) {
    this.resume()
  }

  pause(): void {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.leftMs -= performance.now() - this.resumedMs
  }

  resume(): void {
    if (this.timer) return
    this.resumedMs = performance.now()
    this.timer = setTimeout(this.onEnd, this.leftMs).unref()
  }
}
