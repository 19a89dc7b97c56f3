import * as z from 'zod/mini'
import type { DerivedTable } from '../store/migrate'
import { count } from '../store/row-types'
import { identifier, sql } from '../store/sql'
import type { Store } from '../store/store'

export type WatermarkTable = Extract<DerivedTable, 'spent_before' | 'searched_before'>

/** A table of watermarks has that of all projects under this name, and those of projects that are ahead of it. */
export const allProjects = ''

const WatermarkRow = z.object({ name: z.string(), watermark: count })

/** Up to which `inserted_at` the calls of each project are derived, microseconds since 1970. The store is read once. */
export class TraceWatermarks {
  private loaded: Promise<Map<string, number>> | undefined

  constructor(
    private readonly store: Store,
    private readonly table: WatermarkTable,
  ) {}

  load(): Promise<Map<string, number>> {
    this.loaded ??= this.read()
    return this.loaded
  }

  async move(name: string, watermark: number): Promise<void> {
    await this.store.insert(this.table, [{ name, watermark }])
    const watermarks = await this.load()
    watermarks.set(name, watermark)
    if (name !== allProjects) return
    for (const [projectId, own] of watermarks) if (projectId !== name && own <= watermark) watermarks.delete(projectId)
  }

  private async read(): Promise<Map<string, number>> {
    try {
      const rows = await this.store.query(sql`SELECT name, watermark FROM ${identifier(this.table)} FINAL`, WatermarkRow)
      return new Map(rows.map(({ name, watermark }) => [name, watermark]))
    } catch (error) {
      this.loaded = undefined
      throw error
    }
  }
}
