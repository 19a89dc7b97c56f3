import { ValidationError } from './api-error'
import type { RowsOfResponse } from './parse-rows'

/** A page to ask for; without a limit, all rows. `isSimple`: without what an older service may not know. */
export type WantedPage = { limit: number | undefined; offset: number; isSimple: boolean }

type Options<Row> = {
  readPage: (page: WantedPage) => Promise<RowsOfResponse<Row>>
  pageSize: number
  maxRows: number
  /** Whether a refused request may be sent again in its simple form. */
  canSimplify?: boolean
  signal?: AbortSignal
}

/**
 * All rows of a list from a service of which nothing is known. It may send fewer rows than asked for although more follow,
 * refuse the limit, or ignore limit and offset. Ends when a page is empty or brings no new row, so it cannot run for ever.
 * `isLast` stays false where it stopped at `maxRows`.
 */
export async function* readWholeList<Row>({
  readPage,
  pageSize,
  maxRows,
  canSimplify = false,
  signal,
}: Options<Row>): AsyncGenerator<RowsOfResponse<Row> & { isLast: boolean }, void, void> {
  const forms = [pageSize, ...smallerLimits.filter((limit) => limit < pageSize)].flatMap((limit) =>
    (canSimplify ? [false, true] : [false]).map((isSimple) => ({ limit, isSimple })),
  )
  const known = new Set<string>()
  let readCount = 0
  let hasFullPages = true
  let refusal: unknown
  for (let form = forms.shift(); form;) {
    if (signal?.aborted) return
    const page = await readPage({ ...form, offset: readCount }).catch((error: unknown) => {
      // What is refused later is not the form of the request.
      if (!(error instanceof ValidationError) || readCount > 0) throw error
      return { refusal: error }
    })
    if ('refusal' in page) {
      refusal ??= page.refusal
      form = forms.shift()
      continue
    }
    // Unreadable lines may be pieces of one row.
    const count = Math.max(page.rows.length, Math.min(page.rows.length + page.brokenLines.length, form.limit))
    if (count === 0) return yield noMoreRows
    // The limit is ignored. There may be a hundred thousand rows, and nothing to compare them with.
    if (readCount === 0 && count > form.limit) return yield { ...page, isLast: !page.isTruncated }
    const texts = [...page.rows.map((row) => JSON.stringify(row)), ...page.brokenLines.map(({ text }) => text)]
    if (readCount > 0 && texts.every((text) => known.has(text))) {
      // The offset is ignored. Full pages were cut off by the limit, so the rest comes without it.
      if (!hasFullPages) return yield noMoreRows
      const all = await readPage({ limit: undefined, offset: 0, isSimple: form.isSimple })
      yield { ...all, rows: all.rows.filter((row) => !known.has(JSON.stringify(row))), isLast: !all.isTruncated }
      return
    }
    for (const text of texts) known.add(text)
    hasFullPages &&= count === form.limit
    readCount += count
    yield { ...page, isLast: false }
    if (readCount >= maxRows) return
  }
  throw refusal
}

// A limit that a service refuses is most often above 100.
const smallerLimits = [100, 10]
const noMoreRows = { rows: [], brokenLines: [], isLast: true }
