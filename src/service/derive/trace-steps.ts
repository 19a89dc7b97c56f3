import type { Logger } from 'pino'
import type { QueryOptions, Store } from '../store/store'
import { classifyFailure } from './derivation-failure'
import { Quarantine, type Quarantined } from './quarantine'
import type { TraceIds } from './trace-members'
import type { WatermarkTable } from './trace-watermarks'

/** A table that is derived from whole traces. */
export type TraceDerivation = {
  /** What is derived, for the log: 'spends'. */
  what: string
  watermarkTable: WatermarkTable
  quarantineKind: Quarantined['kind']
  /**
   * Derives the table's rows from these traces, as they are stored now. Returns the ids of the traces that are slow to derive: long
   * traces, and all of these traces if they have very many calls together.
   */
  derive: (store: Store, projectId: string, traceIds: TraceIds, options: QueryOptions) => Promise<readonly string[]>
}

/** A trace that fails for lack of memory or time may have been unlucky. */
const maxAttemptsUnderLoad = 5

type Deps = { store: Store; logger: Logger; signal: AbortSignal; derivation: TraceDerivation }

/**
 * Derives traces by their ids. One that fails because of its data is set aside, so that it keeps no other from being derived. After
 * `signal` is aborted nothing is set aside.
 */
export class TraceSteps {
  private readonly quarantine: Quarantine
  private readonly retriedProjects = new Set<string>()
  private readonly attemptsByTrace = new Map<string, number>()

  constructor(private readonly deps: Deps) {
    this.quarantine = new Quarantine(deps.store)
  }

  /** Whether a trace of the project is set aside. */
  async hasSetAside(projectId: string): Promise<boolean> {
    await this.quarantine.load()
    return this.quarantine.hasAnyOf(this.deps.derivation.quarantineKind, projectId)
  }

  /** The traces that another version of the derivation set aside and this one has not tried. */
  async findUntried(): Promise<Quarantined[]> {
    const all = await this.quarantine.load()
    const isOwn = ({ kind }: Quarantined) => kind === this.deps.derivation.quarantineKind
    return all.filter((each) => isOwn(each) && !this.retriedProjects.has(each.project_id))
  }

  /** Tries those of the project. */
  async tryAgain(projectId: string, options: QueryOptions): Promise<void> {
    const traces = (await this.findUntried()).filter((each) => each.project_id === projectId)
    for (const { id } of traces) await this.derive(projectId, [id], options)
    if (traces.length > 0) this.retriedProjects.add(projectId)
  }

  /** What fails because of its data is halved until the trace is found that fails alone. Returns what `TraceDerivation.derive` does. */
  async derive(projectId: string, traceIds: readonly string[], options: QueryOptions): Promise<readonly string[]> {
    const [id] = traceIds
    if (id === undefined) return []
    let longIds: readonly string[]
    try {
      longIds = await this.deps.derivation.derive(this.deps.store, projectId, traceIds, options)
    } catch (error) {
      const { cause, reason } = classifyFailure(error)
      if (cause === 'store' || this.deps.signal.aborted) throw error
      if (traceIds.length > 1) {
        const middle = traceIds.length >> 1
        const first = await this.derive(projectId, traceIds.slice(0, middle), options)
        return [...first, ...(await this.derive(projectId, traceIds.slice(middle), options))]
      }
      const attempts = (this.attemptsByTrace.get(id) ?? 0) + 1
      this.attemptsByTrace.set(id, attempts)
      if (cause === 'load' && attempts < maxAttemptsUnderLoad) throw error
      this.attemptsByTrace.delete(id)
      await this.setAside(projectId, id, reason)
      return []
    }
    for (const trace of traceIds) {
      const key = this.toKey(projectId, trace)
      if (this.quarantine.has(key)) await this.quarantine.release(key)
    }
    return longIds
  }

  private async setAside(projectId: string, traceId: string, reason: string): Promise<void> {
    const key = this.toKey(projectId, traceId)
    await this.quarantine.load()
    if (!this.quarantine.has(key)) {
      this.deps.logger.error(
        { projectId, traceId: traceId.slice(0, 200), reason },
        `${this.deps.derivation.what} of a trace cannot be derived and are set aside`,
      )
    }
    await this.quarantine.add(key, reason)
  }

  private toKey(projectId: string, traceId: string): Quarantined {
    return { kind: this.deps.derivation.quarantineKind, project_id: projectId, id: traceId }
  }
}
