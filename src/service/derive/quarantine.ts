import * as z from 'zod/mini'
import { toCompoundKey } from '../lib/compound-key'
import { count, engineTime, flag } from '../store/row-types'
import { sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { derivationVersion } from './derivation-version'

const kinds = ['call', 'thread', 'trace', 'searched_trace'] as const

/**
 * A call without turns, a thread without up-to-date figures, or a trace without spends or not searchable, because computing them fails for it
 * alone.
 */
export type Quarantined = { kind: (typeof kinds)[number]; project_id: string; id: string }

type Entry = { kind: Quarantined['kind']; projectId: string; revision: number; firstFailedAt: string | undefined }

const EntryRow = z.object({
  kind: z.enum(kinds),
  project_id: z.string(),
  id: z.string(),
  first_failed_at: z.string(),
  derivation_version: z.number(),
  is_released: flag,
  revision: z.number(),
})

const ListedRow = z.object({
  kind: z.enum(kinds),
  project_id: z.string(),
  short_id: z.string(),
  reason: z.string(),
  first_failed_at: engineTime,
})

type ListedRow = z.infer<typeof ListedRow>

const maxListed = 100

/**
 * The table `quarantined_calls`: what is set aside so that it does not keep everything else from being derived. The calls
 * themselves stay in `calls` and are read as always.
 */
export class Quarantine {
  private readonly held = new Map<string, Entry>()
  /** Revisions of entries that were released, so that a later entry counts. */
  private readonly released = new Map<string, Entry>()
  private loading: Promise<Quarantined[]> | undefined

  constructor(private readonly store: Store) {}

  has({ kind, project_id: projectId, id }: Quarantined): boolean {
    return this.held.size > 0 && this.held.has(toCompoundKey(kind, projectId, id))
  }

  hasAnyOf(kind: Quarantined['kind'], projectId: string): boolean {
    return [...this.held.values()].some((entry) => entry.kind === kind && entry.projectId === projectId)
  }

  /** Reads the table, once. Returns what another version of the derivation set aside: this one may be able to compute it. */
  async load(): Promise<Quarantined[]> {
    this.loading ??= this.read()
    try {
      return await this.loading
    } catch (error) {
      this.loading = undefined
      throw error
    }
  }

  /** Resolves when it is on disk. */
  async add(key: Quarantined, reason: string): Promise<void> {
    await this.write(key, { reason, is_released: 0 })
  }

  /** To be called when it could be computed after all. */
  async release(key: Quarantined): Promise<void> {
    await this.write(key, { reason: '', is_released: 1 })
  }

  private async read(): Promise<Quarantined[]> {
    const statement = sql`
SELECT kind, project_id, id, toString(first_failed_at) AS first_failed_at, derivation_version, is_released, revision
FROM quarantined_calls FINAL`
    const ofOtherVersions: Quarantined[] = []
    for await (const rows of this.store.stream(statement, EntryRow)) {
      for (const { kind, project_id, id, ...row } of rows) {
        const entry = { kind, projectId: project_id, revision: row.revision, firstFailedAt: row.first_failed_at }
        const entries = row.is_released ? this.released : this.held
        entries.set(toCompoundKey(kind, project_id, id), entry)
        if (!row.is_released && row.derivation_version !== derivationVersion) ofOtherVersions.push({ kind, project_id, id })
      }
    }
    return ofOtherVersions
  }

  private async write(key: Quarantined, values: { reason: string; is_released: 0 | 1 }): Promise<void> {
    await this.load()
    const { kind, project_id, id } = key
    const text = toCompoundKey(kind, project_id, id)
    const held = this.held.get(text)
    const revision = (held ?? this.released.get(text))?.revision ?? 0
    const entry = { kind, projectId: project_id, revision: revision + 1, firstFailedAt: held?.firstFailedAt }
    await this.store.insert('quarantined_calls', [
      {
        kind,
        project_id,
        id,
        ...values,
        derivation_version: derivationVersion,
        revision: entry.revision,
        // Otherwise the engine sets its time.
        ...(entry.firstFailedAt === undefined ? {} : { first_failed_at: entry.firstFailedAt }),
      },
    ])
    this.held.delete(text)
    this.released.delete(text)
    const entries = values.is_released ? this.released : this.held
    entries.set(text, entry)
  }
}

/** How many calls and threads are set aside now, and the latest hundred, as on the wire. */
export async function listQuarantined(store: Store, options: QueryOptions = {}) {
  const [total] = await store.query(
    sql`SELECT count() AS count FROM quarantined_calls FINAL WHERE is_released = 0`,
    z.object({ count }),
    options,
  )
  const rows = await store.query(
    sql`
SELECT kind, project_id, substringUTF8(id, 1, 200) AS short_id, reason, first_failed_at
FROM quarantined_calls FINAL WHERE is_released = 0
ORDER BY first_failed_at DESC, project_id, kind, id LIMIT ${uint64(maxListed)}`,
    ListedRow,
    options,
  )
  return { count: total?.count ?? 0, latest: rows.map(toListed) }
}

function toListed({ kind, project_id, short_id: id, first_failed_at: at, reason }: ListedRow) {
  return { project_id, call_id: kind === 'call' ? id : null, thread_id: kind === 'thread' ? id : null, at, reason }
}
