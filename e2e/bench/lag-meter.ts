import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'

const Lag = z.object({ p99: z.number(), max: z.number() })
export type Lag = z.infer<typeof Lag>

/** Reads the event loop lag of a service that was started with `environment`. */
export class LagMeter {
  private readonly folder = mkdtempSync(join(tmpdir(), 'spool-bench-lag-'))
  private readonly file = join(this.folder, 'lag.json')
  readonly environment = {
    SPOOL_BENCH_LAG: this.file,
    NODE_OPTIONS: `--import=${join(process.cwd(), 'e2e/bench/lag-probe.mjs')}`,
  }

  /** The lag of the process in ms since the last call. Null where it does not answer within `timeoutMs`. */
  async read(processId: number, timeoutMs = 60_000): Promise<Lag | null> {
    rmSync(this.file, { force: true })
    process.kill(processId, 'SIGUSR2')
    const startedAt = performance.now()
    while (performance.now() - startedAt < timeoutMs) {
      await wait(20)
      try {
        return z.parse(Lag, JSON.parse(readFileSync(this.file, 'utf8')))
      } catch {
        // The file is not there yet, or half written.
      }
    }
    return null
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
