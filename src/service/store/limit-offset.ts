import { type Sql, sql, uint64 } from './sql'

/** A limit that means all rows. Added to the largest offset of the wire (2^53 - 1) it stays within UInt64. */
export const allRows = 2 ** 53

/** LIMIT and OFFSET as a request asks for them: all rows without a limit, from the first without an offset. */
export function limitOffset({ limit, offset }: { limit?: number | undefined; offset?: number | undefined }): Sql {
  return sql`LIMIT ${uint64(limit ?? allRows)} OFFSET ${uint64(offset ?? 0)}`
}
