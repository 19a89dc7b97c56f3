import { InconsistentCalls } from '../../derive/inconsistent-calls'
import { TraceDeriver } from '../../derive/trace-deriver'
import type { Sql } from '../../store/sql'
import type { QueryOptions } from '../../store/store'
import { createThreadCallDerivation } from './derive-thread-calls'

/** Keeps `thread_calls` and `inconsistent_calls` up to date with `calls`. Call `flush` before reading `thread_calls`. */
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
   * Whether the parts of each of these calls, a SELECT of ids, or of all calls of the project are known to report the same start, trace and thread. Calls that are not
   * derived yet are looked at, unless they are many; with `isKnown`, only what is known without that counts. Nothing is derived for it.
   */
  async areConsistent(
    callIds: Sql | undefined,
    projectId: string,
    { isKnown = false, ...options }: QueryOptions & { isKnown?: boolean },
  ): Promise<boolean> {
    // Before the table is read: what is derived meanwhile is looked at or found in the table.
    const underived = await this.findUnderived(projectId)
    if (underived === 'unknown' || (isKnown && underived !== 'none')) return false
    if (await this.inconsistentCalls.hasAnyOf(callIds, projectId, options)) return false
    return underived === 'none' || !(await this.inconsistentCalls.mayHaveAmong(callIds, projectId, underived, options))
  }
}
