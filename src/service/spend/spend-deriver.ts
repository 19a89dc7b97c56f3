import { TraceDeriver } from '../derive/trace-deriver'
import { createSpendDerivation } from './derive-spends'

/** Keeps `spent_calls` up to date with `calls`. Call `flush` before reading it. */
export class SpendDeriver extends TraceDeriver {
  constructor(deps: ConstructorParameters<typeof TraceDeriver>[0]) {
    super(deps, {
      what: 'spends',
      watermarkTable: 'spent_before',
      quarantineKind: 'trace',
      derive: createSpendDerivation(deps.rowLimits),
    })
  }
}
