import { identifier, type Sql, sql } from './sql'

/**
 * FROM and WHERE of those rows of a table that count and meet the condition, for a condition that few rows meet. FINAL merges
 * whatever granules an index cannot exclude, with all columns; so the starts are found first, in rows of any version, and the
 * merge gets only the granules of those. A row that counts and meets the condition is among them. A stream of it has a slow start (`StreamOptions`).
 */
export function fromFewRows(table: 'spent_calls' | 'thread_calls', condition: Sql): Sql {
  const name = identifier(table)
  return sql`FROM ${name} FINAL WHERE ${condition} AND started_at IN (SELECT started_at FROM ${name} WHERE ${condition})`
}
