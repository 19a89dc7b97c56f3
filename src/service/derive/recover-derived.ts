import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { RecoverySweep } from './recovery-sweep'
import type { Recovery } from './recovery'
import type { TurnDeriver } from './turn-deriver'
import { isAfterWatermark, openWatermark } from './watermark'

/**
 * Derives what the last process may have left undone when it ended: it can stop between writing calls, their turns and
 * their threads. Runs beside everything else: only readers of a project that it still has to look at wait. Deriving a
 * call again is harmless, and writes all of its turns and their threads again. Resolves when all is derived, and never rejects.
 */
export async function recoverDerived(store: Store, deriver: TurnDeriver): Promise<void> {
  await deriver.recover(new DerivedRecovery(store, deriver))
  await deriver.flushAll().catch(() => undefined) // the deriver logs what it could not derive, and tries it again
}

const ProjectRow = z.object({ project_id: z.string() })
/** How long to wait where all that was found waits to be derived. */
const fullPauseMs = 20

class DerivedRecovery implements Recovery {
  /** Projects that were not looked at yet; unknown at first. */
  private remaining: Set<string> | undefined
  /** Readers that wait, by project. */
  private readonly readers = new Map<string, (() => void)[]>()
  private readonly sweeps = new Map<string, RecoverySweep>()
  private sweepOfAll: RecoverySweep | undefined

  constructor(
    private readonly store: Store,
    private readonly deriver: TurnDeriver,
  ) {}

  async waitFor(projectId: string): Promise<void> {
    if (this.remaining && !this.remaining.has(projectId)) return
    await new Promise<void>((resolve) => {
      this.readers.set(projectId, [...(this.readers.get(projectId) ?? []), resolve])
    })
  }

  /** After a failure it goes on where it was. */
  async run(signal: AbortSignal): Promise<void> {
    const sweepOfAll = (this.sweepOfAll ??= await this.prepare())
    while (!signal.aborted && !sweepOfAll.isDone) {
      const waiting = [...this.readers.keys()].map((projectId) => this.sweepOf(projectId))
      let hasAdded = false
      // One page of each, so that no project waits for all of another.
      for (const sweep of [...waiting, sweepOfAll]) {
        if (await sweep.addPage()) hasAdded = true
        this.noteProgress(sweep)
      }
      if (!hasAdded) await wait(fullPauseMs)
    }
  }

  private async prepare(): Promise<RecoverySweep> {
    const watermark = await openWatermark(this.store)
    const projects = await this.store.query(
      sql`SELECT DISTINCT project_id FROM calls WHERE ${isAfterWatermark(watermark)}`,
      ProjectRow,
    )
    await this.deriver.tryQuarantined()
    this.remaining = new Set(projects.map((row) => row.project_id))
    this.answerReaders()
    return new RecoverySweep(this.store, this.deriver, watermark)
  }

  private sweepOf(projectId: string): RecoverySweep {
    const sweep = this.sweeps.get(projectId) ?? this.sweepOfAll?.ofProject(projectId)
    if (!sweep) throw new Error('The recovery is not prepared.')
    this.sweeps.set(projectId, sweep)
    return sweep
  }

  private noteProgress(sweep: RecoverySweep): void {
    for (const projectId of this.remaining ?? []) if (sweep.isPast(projectId)) this.remaining?.delete(projectId)
    this.answerReaders()
  }

  private answerReaders(): void {
    for (const [projectId, resolveAll] of this.readers) {
      if (this.remaining?.has(projectId)) continue
      this.readers.delete(projectId)
      this.sweeps.delete(projectId)
      for (const resolve of resolveAll) resolve()
    }
  }
}
