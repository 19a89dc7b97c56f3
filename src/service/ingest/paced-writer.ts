import type { WriterPace } from '../derive/writer-pace'
import { serviceShare, type Share } from '../lib/share'
import type { QueryOptions } from '../store/store'
import type { StoreError } from '../store/store-error'
import { type CallLines, toCallLines } from './call-portion'
import type { CallRow } from './call-row'
import type { CallSink } from './call-writer'

/** A writer that answers later where readers wait for what others write faster than it is derived. */
export class PacedWriter implements CallSink {
  constructor(
    private readonly writer: CallSink,
    private readonly pace: WriterPace,
  ) {}

  async write(rows: readonly CallRow[], share: Pick<Share, 'user'> = serviceShare): Promise<(StoreError | undefined)[]> {
    return await this.writeLines(toCallLines(rows), share)
  }

  async writeLines(lines: CallLines, share: Pick<Share, 'user'>): Promise<(StoreError | undefined)[]> {
    const rowErrors = await this.writer.writeLines(lines, share)
    await this.pace.keepUp(share.user, lines.projectIds)
    return rowErrors
  }

  async settle(projectId: string, options?: Pick<QueryOptions, 'signal'>): Promise<void> {
    await this.writer.settle(projectId, options)
  }

  async listUnsettledProjects(options?: Pick<QueryOptions, 'signal'>): Promise<readonly string[]> {
    return await this.writer.listUnsettledProjects(options)
  }

  async close(): Promise<void> {
    await this.writer.close()
  }
}
