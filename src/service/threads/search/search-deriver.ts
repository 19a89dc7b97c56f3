import { InconsistentCalls } from '../../derive/inconsistent-calls'
import { type ReaderOptions, TraceDeriver } from '../../derive/trace-deriver'
import type { Sql } from '../../store/sql'
import { createThreadCallDerivation } from './derive-thread-calls'

/** Keeps `thread_calls` and `inconsistent_calls` up to date with `calls`. Call `flush` before reading them. */
export class SearchDeriver extends TraceDeriver {
  private readonly inconsistentCalls: InconsistentCalls

  constructor(deps: ConstructorParameters<typeof TraceDeriver>[0]) {
    super(deps, {
      what: 'words and places',
      watermarkTable: 'searched_before',
      quarantineKind: 'searched_trace',
      derive: createThreadCallDerivation(deps.rowLimits),
    })
    this.inconsistentCalls = new InconsistentCalls(deps.store)
  }

  /**
   * Whether the parts of each of these calls, a SELECT of ids, are known to report the same start, trace and thread. What is not derived
   * yet is derived if that takes `maxWaitMs` at most; with 0, nothing is begun.
   */
  async areConsistent(
    callIds: Sql,
    projectId: string,
    { maxWaitMs, ...options }: ReaderOptions & { maxWaitMs: number },
  ): Promise<boolean> {
    if (!(await this.isCaughtUp(projectId, { maxWaitMs, ...options }))) return false
    return !(await this.inconsistentCalls.hasAnyOf(callIds, projectId, options))
  }
}
