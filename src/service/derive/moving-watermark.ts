import type { Logger } from 'pino'
import type { Store } from '../store/store'
import { isClosed } from '../store/store-error'
import { writeWatermark } from './watermark'

const intervalMs = 10_000

type Deps = {
  store: Store
  logger: Logger
  /** Undefined while it must stay where it is. */
  find: () => number | undefined
}

/** Writes the watermark of derived calls now and then. With an older one, a start only derives more. */
export class MovingWatermark {
  private triedMs = performance.now()

  constructor(private readonly deps: Deps) {}

  moveNowAndThen(): void {
    const nowMs = performance.now()
    if (nowMs - this.triedMs < intervalMs) return
    this.triedMs = nowMs
    void this.tryToMove()
  }

  /** Never rejects. */
  async tryToMove(): Promise<void> {
    const { store, logger, find } = this.deps
    try {
      const since = find()
      if (since !== undefined) await writeWatermark(store, since)
    } catch (err) {
      if (!isClosed(err)) logger.error({ err }, 'the watermark of derived calls could not be written')
    }
  }
}
