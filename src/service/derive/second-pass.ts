import * as z from 'zod/mini'
import { count } from '../store/row-types'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import type { WatermarkTable } from './trace-watermarks'

const PassRow = z.object({ project_id: z.string(), watermark: count, until: count })

/** A project whose older calls are derived once more. Instants are `inserted_at`, in microseconds. */
export type Pass = {
  /** Calls with a lower one have been derived. */
  watermark: number
  until: number
  /** How many calls are tried at a time. */
  pageCalls: number
}

const firstPageCalls = 2000
const minPageCalls = 500

/**
 * Which calls a table is derived from once more (the table `second_passes`), after a version of the service that may have left some
 * out. Nobody waits for it: it is done in the background, beside what readers need. The store is read once.
 */
export class SecondPass {
  private loaded: Promise<Map<string, Pass>> | undefined

  constructor(
    private readonly store: Store,
    private readonly table: WatermarkTable,
  ) {}

  /** By project, the next one first. */
  load(): Promise<Map<string, Pass>> {
    this.loaded ??= this.read()
    return this.loaded
  }

  /** After a page was derived: the next one may be larger, up to `maxPageCalls`. */
  async move(projectId: string, pass: Pass, watermark: number, maxPageCalls: number): Promise<void> {
    const { until } = pass
    await this.store.insert('second_passes', [{ watermark_table: this.table, project_id: projectId, watermark, until }])
    pass.watermark = watermark
    pass.pageCalls = Math.min(2 * pass.pageCalls, maxPageCalls)
    if (watermark >= until) (await this.load()).delete(projectId)
  }

  /** After a page failed or was stopped for a reader: a smaller one may end before the next reader comes. Other projects are first. */
  async postpone(projectId: string, pass: Pass): Promise<void> {
    pass.pageCalls = Math.max(minPageCalls, pass.pageCalls >> 1)
    const passes = await this.load()
    passes.delete(projectId)
    passes.set(projectId, pass)
  }

  private async read(): Promise<Map<string, Pass>> {
    try {
      const rows = await this.store.query(
        sql`SELECT project_id, watermark, until FROM second_passes FINAL WHERE watermark_table = ${this.table} AND watermark < until`,
        PassRow,
      )
      return new Map(rows.map(({ project_id: id, watermark, until }) => [id, { watermark, until, pageCalls: firstPageCalls }]))
    } catch (error) {
      this.loaded = undefined
      throw error
    }
  }
}
