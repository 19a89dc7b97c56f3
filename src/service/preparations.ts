import type { AnyPreparation } from './http/prepare/preparation'
import { prepareLogs } from './ingest/otlp/prepare-logs'
import { prepareSpans } from './ingest/otlp/prepare-spans'
import { prepareComplete, prepareUpsert } from './ingest/weave/prepare-batch'
import { prepareEnd, prepareProjectEnd, prepareProjectStart, prepareStart } from './ingest/weave/prepare-calls'
import { prepareFeedback, prepareFeedbackBatch, prepareFeedbackReplacement } from './weave/feedback/prepare-feedback'
import { prepareFile } from './weave/files/prepare-file'
import { prepareObject } from './weave/objects/prepare-object'
import { preparePaths } from './weave/objects/prepare-paths'
import { prepareTable, prepareTableFromDigests, prepareTableUpdate } from './weave/tables/prepare-table'

/** What a worker thread can do. Names must differ. */
export const preparations: readonly AnyPreparation[] = [
  prepareStart,
  prepareEnd,
  prepareProjectStart,
  prepareProjectEnd,
  prepareUpsert,
  prepareComplete,
  prepareSpans,
  prepareLogs,
  prepareObject,
  preparePaths,
  prepareTable,
  prepareTableUpdate,
  prepareTableFromDigests,
  prepareFile,
  prepareFeedback,
  prepareFeedbackBatch,
  prepareFeedbackReplacement,
]
