import type { RelatedData } from '../calls/list-calls'
import { recoverDerived } from '../derive/recover-derived'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { openInsertClock } from '../derive/watermark'
import type { Store } from '../store/store'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { silentLogger } from './silent-logger'
import { listThreads } from '../threads/list-threads'
import { SearchDeriver } from '../threads/search/search-deriver'
import { type CallRow, joinCallLines, toCallLine } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'

type Bounds = { after_datetime?: string; before_datetime?: string }

/** A bound far before every turn: with one, threads are computed from the turns instead of read from `threads`. */
export const everything: Bounds = { after_datetime: '1900-01-01T00:00:00Z' }

async function openDeriver(store: Store): Promise<TurnDeriver> {
  return new TurnDeriver({
    store,
    insertClock: await openInsertClock(store, () => Date.now()),
    logger: silentLogger,
    times: patientTimes,
  })
}

function openSearches(store: Store, deriver: TurnDeriver): SearchDeriver {
  return new SearchDeriver({ store, deriver, logger: silentLogger })
}

/** A call writer on a temporary store. */
export class CallWriterFixture {
  /** No object and no feedback. */
  readonly related: RelatedData = { resolveRefs: async (_, refs) => refs.map(() => null), readFeedback: async () => new Map() }

  private constructor(
    private readonly place: Awaited<ReturnType<typeof openTemporaryStore>>,
    public deriver: TurnDeriver,
    public writer: CallWriter,
    public searches: SearchDeriver,
  ) {}

  static async open(): Promise<CallWriterFixture> {
    const place = await openTemporaryStore()
    const deriver = await openDeriver(place.store)
    return new CallWriterFixture(place, deriver, new CallWriter(place.store, deriver), openSearches(place.store, deriver))
  }

  get store() {
    return this.place.store
  }

  /** Stores calls as a process that is killed before it derives anything from them. */
  async insertUnderived(...rows: CallRow[]): Promise<void> {
    const { insertedAt } = this.deriver.trackWrite(new Map())
    const lines = rows.map((row) => Buffer.from(toCallLine(row)))
    await this.store.insertLines('calls', await joinCallLines(lines, insertedAt))
  }

  /** Opens the folder again as a new process would, `recover: false` without the recovery of a start. */
  async restart({ recover = true } = {}): Promise<void> {
    await this.writer.close()
    await this.place.reopen()
    this.deriver = await openDeriver(this.store)
    this.writer = new CallWriter(this.store, this.deriver)
    this.searches = openSearches(this.store, this.deriver)
    if (recover) await recoverDerived(this.store, this.deriver)
  }

  /** The threads of a project by id, derived from every acknowledged write. */
  async readThreads(projectId: string, filter?: Bounds) {
    await this.deriver.flush(projectId)
    const threads = []
    const sort_by = [{ field: 'thread_id', direction: 'asc' } as const]
    for await (const batch of listThreads(this.store, { project_id: projectId, sort_by, filter })) threads.push(...batch)
    return threads
  }

  async close(): Promise<void> {
    await this.writer.close()
    await this.place.remove()
  }
}
