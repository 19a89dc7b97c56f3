import { RestartedCalls } from '../../derive/restarted-calls'
import { TraceDeriver } from '../../derive/trace-deriver'
import { createThreadCallDerivation } from './derive-thread-calls'

/** Keeps `thread_calls` and `restarted_calls` up to date with `calls`. Call `flush` before reading them. */
export class SearchDeriver extends TraceDeriver {
  private readonly restartedCalls: RestartedCalls

  constructor(deps: ConstructorParameters<typeof TraceDeriver>[0]) {
    super(deps, {
      what: 'words and places',
      watermarkTable: 'searched_before',
      quarantineKind: 'searched_trace',
      derive: createThreadCallDerivation(deps.rowLimits),
    })
    this.restartedCalls = new RestartedCalls(deps.store)
  }

  /** Whether each call of the project is known to have only one start. See `isCaughtUp`. */
  async hasSingleStarts(projectId: string, options: Parameters<TraceDeriver['isCaughtUp']>[1]): Promise<boolean> {
    const { signal, share } = options
    return (await this.isCaughtUp(projectId, options)) && !(await this.restartedCalls.hasAny(projectId, { signal, share }))
  }
}
