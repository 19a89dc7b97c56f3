import { StoreError } from './store-error'

/** Counts the writes that run, and can hold them back. */
export class WriteGate {
  private runningCount = 0
  private held: Promise<void> | undefined
  private onQuiet = () => {}

  async during<Result>(write: () => Promise<Result>): Promise<Result> {
    // Several may wait, and the gate may be closed again before each has had its turn.
    while (this.held) await this.held
    this.runningCount += 1
    try {
      return await write()
    } finally {
      this.runningCount -= 1
      if (this.runningCount === 0) this.onQuiet()
    }
  }

  /**
   * Runs `act` while nothing is written: after the writes that run, before those that come later. Rejects with `busy` where
   * they take longer than `maxWaitMs`, or where something else holds them back.
   */
  async alone<Result>(maxWaitMs: number, act: () => Promise<Result>): Promise<Result> {
    if (this.held) throw new StoreError('busy', 'Writes are held back already.')
    let open = () => {}
    this.held = new Promise((resolve) => {
      open = resolve
    })
    try {
      await this.waitUntilQuiet(maxWaitMs)
      return await act()
    } finally {
      this.held = undefined
      open()
    }
  }

  private async waitUntilQuiet(maxWaitMs: number): Promise<void> {
    if (this.runningCount === 0) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new StoreError('busy', 'The writes that run take too long.')), maxWaitMs)
      this.onQuiet = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
