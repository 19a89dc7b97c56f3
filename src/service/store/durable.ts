import { identifier, type Sql, sql } from './sql'

/**
 * Settings of every table. Without them a power cut may lose acknowledged rows: by default inserts are not synced, and a
 * merge replaces synced parts by an unsynced one and deletes them at once. As table settings they hold on a server too.
 */
export const durable = sql`fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480, non_replicated_deduplication_window = 1000`

const durableTables = [
  'budgets',
  'call_starts',
  'calls',
  'costs',
  'deleted_calls',
  'feedback',
  'file_chunks',
  'filter_values',
  'markers',
  'object_versions',
  'quarantined_calls',
  'queue_answers',
  'queue_items',
  'queue_marks',
  'queues',
  'searched_before',
  'span_messages',
  'spent_before',
  'spent_calls',
  'table_positions',
  'table_rows',
  'tables',
  'thread_calls',
  'thread_spans',
  'thread_words',
  'threads',
  'trace_calls',
  'turns',
  'turns_by_start',
  'views',
]

/**
 * Parts that a merge has replaced are kept for a minute, eight before. The merged part is synced, so they are not needed,
 * and each takes 17 kB of memory: many small inserts a second left 8,000 of them, which a start reads too.
 */
export const keepReplacedPartsShortly: readonly Sql[] = durableTables.map(keepPartsShortly)

/** The same for a table that is newer than that step. */
export function keepPartsShortly(table: string): Sql {
  return sql`ALTER TABLE ${identifier(table)} MODIFY SETTING old_parts_lifetime = 60`
}
