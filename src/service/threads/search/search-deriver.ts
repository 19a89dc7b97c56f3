import { TraceDeriver } from '../../derive/trace-deriver'
import { createThreadCallDerivation } from './derive-thread-calls'

/** Keeps `thread_calls` up to date with `calls`. Call `flush` before reading it. */
export class SearchDeriver extends TraceDeriver {
  constructor(deps: ConstructorParameters<typeof TraceDeriver>[0]) {
    super(deps, {
      what: 'words and places',
      watermarkTable: 'searched_before',
      quarantineKind: 'searched_trace',
      derive: createThreadCallDerivation(deps.rowLimits),
    })
  }
}
