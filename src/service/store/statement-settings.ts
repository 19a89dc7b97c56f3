/**
 * Settings of every statement, because defaults differ between versions of ClickHouse and between the embedded engine and a
 * server. They are part of the statement: `SET` would stay on a session of the embedded engine.
 */
const commonSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
  date_time_input_format: 'best_effort',
  date_time_output_format: 'simple',
  session_timezone: 'UTC',
  // The fast parser may miss a double by one unit in the last place, and a price must come back as it was sent.
  precise_float_parsing: 1,
  // To compile an expression to machine code takes 150 ms, more than a hundred uses on small data, and loads a compiler into memory.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
} as const

const insertOnlySettings = {
  // Inserts are batches already; a server would collect them once more by default.
  async_insert: 0,
  input_format_skip_unknown_fields: 0,
  input_format_null_as_default: 1,
  // A batch is one piece for the parallel parser: its threads only hand it on to each other.
  input_format_parallel_parsing: 0,
  // An insert is done when each view has written a part too. Most of that time is waiting for the disk.
  parallel_view_processing: 1,
  // The payloads of calls are stored as the text of their JSON.
  input_format_json_read_objects_as_strings: 1,
  input_format_json_read_arrays_as_strings: 1,
} as const

const readSettings = {
  // To start the threads that would format rows takes 1.2 ms, a third of a short statement. Long results are as fast without them.
  output_format_parallel_formatting: 0,
  // By default the engine looks into an index of words or ids while it reads. Among a hundred million calls, a rare word is found in 7
  // instead of 15 ms without it, and whether threads have a word in 12 instead of 23. The first 1000 threads with a frequent word are
  // found in 32 instead of 20.
  use_skip_indexes_on_data_read: 0,
} as const

const memoryLimits = {
  max_memory_usage: 1_000_000_000,
  max_bytes_before_external_group_by: 400_000_000,
  max_bytes_before_external_sort: 400_000_000,
} as const

/** Settings of an INSERT of rows, to be sent beside it. */
export function insertSettings(tag: string): Record<string, string | number> {
  return { ...commonSettings, ...insertOnlySettings, log_comment: tag }
}

export type StatementLimits = {
  max_execution_time: number
  max_block_size?: number
  max_result_bytes?: number
  max_threads?: number
  os_thread_priority?: number
  max_read_buffer_size_local_fs?: number
  local_filesystem_read_method?: 'pread'
  merge_tree_min_rows_for_concurrent_read?: number
  merge_tree_min_bytes_for_concurrent_read?: number
  optimize_use_projections?: number
  read_in_order_use_buffering?: number
  use_index_for_in_with_subqueries?: number
  query_plan_optimize_lazy_materialization?: number
  use_top_k_dynamic_filtering?: number
}

/**
 * For scattered rows. The engine's defaults read 128 KiB at each place, use one thread for a hundred granules, look for projections,
 * which no table has, and plan for rows that a LIMIT leaves out. Among ten million calls, the ids of a thread are found in 5.3 instead
 * of 6.7 ms, and its 70 calls are read in 25 instead of 31 ms (measured together with `use_skip_indexes_on_data_read`).
 */
const allLookups = {
  max_read_buffer_size_local_fs: 16_384,
  // By default another thread reads what is not in memory. In its own thread, a statement reads 51 calls from the disk in 37 ms instead
  // of 45, with two thirds of the processor time.
  local_filesystem_read_method: 'pread',
  optimize_use_projections: 0,
  query_plan_optimize_lazy_materialization: 0,
  use_top_k_dynamic_filtering: 0,
} as const satisfies Partial<StatementLimits>

export const lookupSettings = {
  /** For few columns, a second thread costs more than it saves. */
  narrow: { ...allLookups, max_threads: 1 },
  /**
   * While a thread waits for the disk, another one reads on. 50 of ten million calls are read in 19 ms instead of 24 on one thread, and
   * in 37 instead of 54 where they are not in memory. Eight threads take 22 and 36.
   */
  wide: {
    ...allLookups,
    max_threads: 3,
    merge_tree_min_rows_for_concurrent_read: 512,
    merge_tree_min_bytes_for_concurrent_read: 65_536,
  },
  /**
   * By default the engine reads ahead in all parts of a table, while most rows of a page are in one. And it applies `id NOT IN (SELECT
   * ...)` to the index of the whole table, which rules nothing out. The first 5000 calls without a parent among a hundred million are
   * found in 18 ms instead of 179; with one of these two settings alone in 50 and 160.
   */
  ordered: { read_in_order_use_buffering: 0, use_index_for_in_with_subqueries: 0, max_block_size: 4096 },
} as const satisfies Record<string, Partial<StatementLimits>>

// As `nice`: 19 is the lowest. Other threads of the engine have 10 (favor-event-loop.ts), merges too. A scan of 15 gets a third of the
// time of one of them, a scan of 19 a seventh. Beside 16 scans of one user, pages of another took 0.3 s at the 95th percentile with 15,
// and 0.4 s with 10. Beside 16 clients that send calls as fast as they can, a reader waited 0.6 s for the spends of a million calls at
// the median and 0.9 s at the 95th percentile with 15, and 0.4 s and 0.6 s with 10.
const readerNice = 15
const backgroundNice = 19

/**
 * A scan gives way to everything else, one of the service (`isBackground`) also to those of readers. The engine sets the priority of its
 * threads only where the process may raise it again afterwards: as root, or with CAP_SYS_NICE. With 4 scans on 2 cores the 95th
 * percentile of short statements is 16 ms with both settings, 120 ms with one thread each, 450 ms with neither; 19 ms without scans.
 */
export function scanSettings(
  threads: number | undefined,
  { isBackground }: { isBackground: boolean },
): Pick<StatementLimits, 'max_threads' | 'os_thread_priority'> {
  return {
    os_thread_priority: isBackground ? backgroundNice : readerNice,
    ...(threads !== undefined && { max_threads: threads }),
  }
}

/** The SETTINGS clause of a SELECT or INSERT SELECT. `tag` names the statement in the engine, for KILL QUERY. */
export function settingsClause(tag: string, limits: StatementLimits): string {
  const settings = { ...commonSettings, ...readSettings, ...memoryLimits, ...limits, log_comment: tag }
  return `SETTINGS ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${value}'`}`)
    .join(', ')}`
}
