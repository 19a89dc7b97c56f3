import * as z from 'zod/mini'
import { compareText } from '../../contract/compare-text'
import { groupByProject } from '../lib/group-by-project'
import { joinSql, type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'
import { isTooLarge } from '../store/store-error'
import { copyCallStarts, copyDeletedCalls, copyTraceCalls } from './rebuild-derived'
import type { TurnDeriver } from './turn-deriver'
import { isAfterWatermark } from './watermark'

const CallRow = z.object({ project_id: z.string(), id: z.string() })

const maxPageRows = 5000
const maxPageBytes = 8 * 1024 * 1024

/**
 * Gives calls after the watermark to the deriver, in pages in the order of their keys. Of all projects, or of one. In pages, because a stream would end after some minutes.
 */
export class RecoverySweep {
  isDone = false
  private pageRows = maxPageRows
  private lastCall: z.infer<typeof CallRow> | undefined

  constructor(
    private readonly store: Store,
    private readonly deriver: TurnDeriver,
    private readonly watermark: number,
    private readonly projectId?: string,
  ) {}

  ofProject(projectId: string): RecoverySweep {
    return new RecoverySweep(this.store, this.deriver, this.watermark, projectId)
  }

  /** Whether all rows of the project were given to the deriver. */
  isPast(projectId: string): boolean {
    if (this.projectId !== undefined) return this.isDone && projectId === this.projectId
    return this.isDone || (this.lastCall !== undefined && compareText(projectId, this.lastCall.project_id) < 0)
  }

  /** False where the deriver has too much to do for more. */
  async addPage(): Promise<boolean> {
    if (this.isDone || (this.lastCall && !this.deriver.hasCapacity(this.lastCall.project_id))) return false
    try {
      await this.addCalls()
      this.pageRows = maxPageRows
    } catch (error) {
      if (!isTooLarge(error) || this.pageRows === 1) throw error
      this.pageRows = Math.ceil(this.pageRows / 10)
    }
    return true
  }

  private async addCalls(): Promise<void> {
    const { lastCall: last } = this
    const isAfter = last ? sql`(project_id, id) > (${last.project_id}, ${last.id})` : sql`1`
    const where = this.where(last, isAfter)
    const statement = sql`
SELECT project_id, id FROM calls WHERE ${where} ORDER BY project_id, id LIMIT ${uint64(this.pageRows)}`
    const calls = await this.store.query(statement, CallRow, { maxResultBytes: maxPageBytes })
    const lastOfPage = calls.at(-1)
    if (lastOfPage) {
      // An insert that was interrupted may have reached `calls` and not its views.
      const isUpToLast = sql`(project_id, id) <= (${lastOfPage.project_id}, ${lastOfPage.id})`
      const isOfPage = joinSql([where, isUpToLast], ' AND ')
      await this.store.command(copyCallStarts(isOfPage))
      await this.store.command(copyDeletedCalls(isOfPage))
      await this.store.command(copyTraceCalls(isOfPage))
    }
    for (const [projectId, own] of groupByProject(calls, (call) => call.project_id)) {
      const ids = own.map(({ id }) => id)
      this.deriver.addCalls(projectId, ids, this.watermark)
    }
    this.lastCall = lastOfPage
    this.isDone = calls.length < this.pageRows
  }

  private where(last: { project_id: string } | undefined, isAfter: Sql): Sql {
    const isOfProject =
      this.projectId !== undefined
        ? sql`project_id = ${this.projectId}`
        : // The engine uses the key for a comparison of one column, not for one of tuples.
          sql`project_id >= ${last?.project_id ?? ''}`
    return joinSql([isOfProject, isAfter, isAfterWatermark(this.watermark)], ' AND ')
  }
}
