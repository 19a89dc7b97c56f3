import type { AnyPreparation } from './http/prepare/preparation'
import { prepareSpans } from './ingest/otlp/prepare-spans'
import { prepareComplete, prepareUpsert } from './ingest/weave/prepare-batch'
import { prepareEnd, prepareProjectEnd, prepareProjectStart, prepareStart } from './ingest/weave/prepare-calls'

/** What a worker thread can do. Names must differ. */
export const preparations: readonly AnyPreparation[] = [
  prepareStart,
  prepareEnd,
  prepareProjectStart,
  prepareProjectEnd,
  prepareUpsert,
  prepareComplete,
  prepareSpans,
]
