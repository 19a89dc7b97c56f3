import { storeObject } from '../../../contract/received-objects'
import type { Queue } from '../../../contract/queues'
import { joinRows, storeTable } from '../../../contract/stored-tables'
import type { Connection } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
import type { AnswerRow } from './answer-rows'

const maxNameLength = 100

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

type Options = { connection: Connection; signal: AbortSignal; onProgress: (count: number) => void }

/**
 * Saves answers as a version of a dataset in the project, and returns its reference. The same answers again are the same version.
 * Rows are sent part by part. Where it is stopped before the end, rows are stored that nothing refers to.
 */
export async function saveDataset(
  queue: Pick<Queue, 'id' | 'name' | 'project_id'>,
  parts: AsyncIterable<readonly AnswerRow[]>,
  { connection, signal, onProgress }: Options,
): Promise<{ ref: string; count: number }> {
  const { project_id } = queue
  const options = { connection, signal }
  const rowDigests: string[] = []
  for await (const rows of parts) {
    if (rows.length > 0) {
      const { row_digests } = await fetchJson(storeTable, { table: { project_id, rows: [...rows] } }, options)
      for (const digest of row_digests) rowDigests.push(digest)
    }
    onProgress(rowDigests.length)
  }
  const { digest: table } = await fetchJson(joinRows, { project_id, row_digests: rowDigests }, options)
  const name = toDatasetName(queue.name)
  const val = toDatasetValue(name, `Answers of the annotation queue ${queue.name} (${queue.id})`, project_id, table)
  const { digest } = await fetchJson(storeObject, { obj: { project_id, object_id: name, val } }, options)
  return { ref: `weave:///${project_id}/object/${name}:${digest}`, count: rowDigests.length }
}
