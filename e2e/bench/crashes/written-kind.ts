import type { SpoolClient } from '../../spool-client'

/** A request that writes. It counts as acknowledged once it is answered with 200. */
export type Write = {
  path: string
  body: string | Buffer
  contentType?: string
  headers?: Readonly<Record<string, string>>
  acknowledge: (reply: string) => void
  /** Without a reply it is sent again, as clients do. False where that would write once more. */
  isRepeatable: boolean
}

/** Things of one kind, written while the service is killed. */
export type WrittenKind = {
  name: string
  /** How often requests of this kind are sent, beside those of others. */
  weight: number
  next: () => Write
  /** How many were acknowledged. */
  count: () => number
  /** Compares what is stored with what was acknowledged, once every repeatable write is. */
  check: (client: SpoolClient) => Promise<Mistakes>
}

export type Mistakes = {
  /** Acknowledged, and not there. */
  missing: number
  /** There twice, there though its deletion was acknowledged, or with another content. */
  wrong: number
}

/** All pages of a list. */
export async function readPages<Row>(
  readPage: (range: { limit: number; offset: number }) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const limit = 1000
  const rows: Row[] = []
  for (;;) {
    const page = await readPage({ limit, offset: rows.length })
    rows.push(...page)
    if (page.length < limit) return rows
  }
}

/** Compares ids that must be stored once, and ids that must not be stored, with those that a list has. */
export function compareIds(
  stored: readonly string[],
  expected: Iterable<string>,
  deleted: ReadonlySet<string> = new Set(),
): Mistakes {
  const known = new Set(stored)
  const missing = [...expected].filter((id) => !known.has(id)).length
  const isDeleted = [...known].filter((id) => deleted.has(id)).length
  return { missing, wrong: stored.length - known.size + isDeleted }
}
