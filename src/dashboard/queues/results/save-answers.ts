import { formatCsvLine } from '../../table/view/csv'
import { untilAborted } from '../../table/view/export-rows'
import { type AnswerRow, answerColumns, toCell } from './answer-rows'

export type AnswerFormat = 'csv' | 'jsonl'

/** The text of a file with these answers, part by part. */
export async function* formatAnswers(
  format: AnswerFormat,
  parts: AsyncIterable<readonly AnswerRow[]>,
): AsyncGenerator<{ text: string; count: number }> {
  if (format === 'csv') yield { text: formatCsvLine(answerColumns), count: 0 }
  for await (const rows of parts) {
    const lines = rows.map((row) =>
      format === 'csv' ? formatCsvLine(answerColumns.map((column) => toCell(row[column]))) : `${JSON.stringify(row)}\n`,
    )
    yield { text: lines.join(''), count: rows.length }
  }
}

type Options = { name: string; signal: AbortSignal; onProgress: (count: number) => void }

/** Downloads answers as a file. Returns how many; undefined where it was stopped: then there is no file. */
export async function saveAnswers(
  format: AnswerFormat,
  parts: AsyncIterable<readonly AnswerRow[]>,
  { name, signal, onProgress }: Options,
): Promise<number | undefined> {
  const texts: string[] = []
  let total = 0
  for await (const { text, count } of untilAborted(formatAnswers(format, parts), signal)) {
    texts.push(text)
    onProgress((total += count))
  }
  if (signal.aborted) return undefined
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson'
  const url = URL.createObjectURL(new Blob(texts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.${format}`
  link.click()
  // The browser reads the blob after this function returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return total
}
