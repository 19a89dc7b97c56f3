import { sql } from './sql'

/**
 * Settings of every table. Without them a power cut may lose acknowledged rows: by default inserts are not synced, and a
 * merge replaces synced parts by an unsynced one and deletes them at once. As table settings they hold on a server too.
 */
export const durable = sql`fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480, non_replicated_deduplication_window = 1000`
