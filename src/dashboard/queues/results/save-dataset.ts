import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../../contract/endpoint'
import { storeObject } from '../../../contract/received-objects'
import type { Queue } from '../../../contract/queues'
import { maxJoinedRows } from '../../../contract/limits'
import { joinRows, storeTable } from '../../../contract/stored-tables'
import { StatusError, ValidationError } from '../../client/api-error'
import { fetchJson } from '../../client/fetch-json'
import { retryFailed } from '../../client/retry-schedule'
import type { AnswerRow, ExportOptions } from './answer-rows'

const maxNameLength = 100
/** A service that refuses so few has another reason. */
const minSplitRows = 1000

/** The name of the dataset: what Weave's SDKs allow in the name of an object. */
export function toDatasetName(queueName: string): string {
  const name = queueName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${name.slice(0, maxNameLength) || 'queue'}-results`
}

/** The value of a `Dataset` object as W&B Weave's SDK publishes it: its rows are a table, by reference. */
export function toDatasetValue(name: string, description: string, projectId: string, tableDigest: string): object {
  return {
    _type: 'Dataset',
    name,
    description,
    rows: `weave:///${projectId}/table/${tableDigest}`,
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
  }
}

type Options = ExportOptions & { onProgress: (count: number) => void }

/**
 * Saves answers as a version of a dataset in the project, and returns its reference. The same answers again are the same version.
 * Rows are sent part by part. Where it is stopped before the end, rows are stored that nothing refers to. More rows than the
 * service takes as one table become several datasets, in order.
 */
export async function saveDataset(
  queue: Pick<Queue, 'id' | 'name' | 'project_id'>,
  parts: AsyncIterable<readonly AnswerRow[]>,
  { onProgress, ...options }: Options,
): Promise<{ refs: string[]; count: number }> {
  const { project_id } = queue
  const rowDigests: string[] = []
  for await (const rows of parts) {
    if (rows.length > 0) {
      const { row_digests } = await send(storeTable, { table: { project_id, rows: [...rows] } }, options)
      for (const digest of row_digests) rowDigests.push(digest)
    }
    onProgress(rowDigests.length)
  }
  const tables = await joinTables(project_id, rowDigests, options)
  const refs: string[] = []
  for (const [index, table] of tables.entries()) {
    const part = tables.length === 1 ? '' : `-${index + 1}-of-${tables.length}`
    const name = `${toDatasetName(queue.name)}${part}`
    const val = toDatasetValue(name, `Answers of the annotation queue ${queue.name} (${queue.id})`, project_id, table)
    const { digest } = await send(storeObject, { obj: { project_id, object_id: name, val } }, options)
    refs.push(`weave:///${project_id}/object/${name}:${digest}`)
  }
  return { refs, count: rowDigests.length }
}

/** What is stored by its content may be sent twice. */
function send<Request extends z.core.$ZodType, Body extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Body, false>,
  input: z.input<Request>,
  options: ExportOptions,
): Promise<z.output<Body>> {
  return retryFailed(() => fetchJson(endpoint, input, options), options)
}

/** The digests of one table with these rows; of more where there are too many for one. */
async function joinTables(project_id: string, rowDigests: readonly string[], options: ExportOptions): Promise<string[]> {
  if (rowDigests.length <= maxJoinedRows) {
    try {
      return [(await send(joinRows, { project_id, row_digests: [...rowDigests] }, options)).digest]
    } catch (error) {
      // Other services, and older ones, take fewer.
      if (rowDigests.length <= minSplitRows || !isTooLong(error)) throw error
    }
  }
  const middle = Math.ceil(rowDigests.length / 2)
  return [
    ...(await joinTables(project_id, rowDigests.slice(0, middle), options)),
    ...(await joinTables(project_id, rowDigests.slice(middle), options)),
  ]
}

function isTooLong(error: unknown): boolean {
  return error instanceof ValidationError || (error instanceof StatusError && error.status === 413)
}
