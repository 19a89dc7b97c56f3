import { maxBodyBytes } from '../../http/read-body'
import { type Checkpoint, type ImportPlace, readCheckpoint, writeCheckpoint } from './checkpoint'
import { type Chunk, chunksOf } from './chunks'
import { StoppedError } from './import-error'
import { inOrder } from './in-order'
import { mostLineBytes } from './line-value'
import { type Line, linesOf } from './lines'
import type { Outcome } from './outcome'
import { ProblemReport } from './problem-report'
import { Progress } from './progress'
import type { Screen } from './screen'
import { contentOf, type SourceFile, wholeContent } from './source-file'

const mebibyte = 1024 * 1024
const mostOfChunk = { lines: 1000, bytes: 8 * mebibyte }
/** Enough that the service always has the next group at hand while it writes one. */
const mostUnderWay = { items: 4, bytes: maxBodyBytes }
const saveEveryMs = 1000

export type LinesImport = {
  source: SourceFile
  place: ImportPlace
  url: string
  project: string | undefined
  /** What its lines hold, in the plural. */
  unit: string
  isDocument: boolean
  isFresh: boolean
  screen: Screen
  stopping: AbortSignal
  send: (chunk: Chunk) => Promise<Outcome>
}

/** What an import has come to, over all its runs. */
export type LinesResult = Checkpoint & { storedNow: number; wasDone: boolean; problemsPath: string }

/** Sends the lines of a file from where an earlier run has come to, and keeps how far it is. */
export async function importLines(given: LinesImport): Promise<LinesResult> {
  const { source, place, screen, stopping } = given
  const begun = (given.isFresh ? undefined : await readCheckpoint(place)) ?? beginning(given)
  const result = (state: Checkpoint): LinesResult => ({
    ...state,
    storedNow: state.stored - begun.stored,
    wasDone: begun.isDone,
    problemsPath: place.problems,
  })
  if (begun.isDone) return result(begun)
  if (begun.offset > 0) screen.say(`${source.name}: going on behind line ${begun.lineNumber}.`)

  const report = await ProblemReport.open(place.problems, source.name, screen, begun.problemBytes)
  let state = begun
  let savedAt = -saveEveryMs
  try {
    let passedBytes = source.isCompressed ? 0 : begun.offset
    const progress = new Progress(screen, { name: source.name, size: source.size, unit: given.unit, passedBytes })
    const lines = given.isDocument
      ? documentOf(source)
      : linesOf(
          contentOf(source, begun.offset, (bytes) => (passedBytes = bytes)),
          begun,
          mostLineBytes,
        )
    const work = async (chunk: Chunk) => {
      // The lines are not kept while the answer is awaited.
      const { end } = chunk
      const fileBytes = source.isCompressed ? passedBytes : end.offset
      return { end, fileBytes, outcome: await given.send(chunk) }
    }
    for await (const { end, fileBytes, outcome } of inOrder(chunksOf(lines, mostOfChunk, stopping), mostUnderWay, work)) {
      await report.add(outcome.problems)
      state = after(state, end, outcome, report.bytes)
      progress.add(outcome.stored, outcome.problems.length, fileBytes)
      if (performance.now() - savedAt < saveEveryMs) continue
      await writeCheckpoint(place, state)
      savedAt = performance.now()
    }
    state = { ...state, isDone: !stopping.aborted }
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error
  } finally {
    screen.clear()
    await report.close()
    await writeCheckpoint(place, state)
  }
  return result(state)
}

function beginning({ source, url, project }: LinesImport): Checkpoint {
  return {
    version: 1,
    file: source.path,
    url,
    project: project ?? null,
    offset: 0,
    lineNumber: 0,
    stored: 0,
    problemCount: 0,
    problemBytes: 0,
    skipped: {},
    isDone: false,
  }
}

function after(state: Checkpoint, end: Chunk['end'], { stored, problems, skipped }: Outcome, problemBytes: number): Checkpoint {
  const sums = { ...state.skipped }
  for (const [reason, count] of Object.entries(skipped)) sums[reason] = (sums[reason] ?? 0) + count
  return {
    ...state,
    ...end,
    stored: state.stored + stored,
    problemCount: state.problemCount + problems.length,
    problemBytes,
    skipped: sums,
  }
}

/** A file that is one JSON document is one line as far as sending goes. */
async function* documentOf(source: SourceFile): AsyncGenerator<Line> {
  const content = await wholeContent(source, mostLineBytes)
  const start = content.subarray(0, 3).toString('utf8') === '\ufeff' ? 3 : 0
  yield { number: 1, bytes: content.subarray(start), end: content.length }
}
