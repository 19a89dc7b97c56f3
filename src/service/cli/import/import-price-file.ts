import { isUtf8 } from 'node:buffer'
import type { ImportPlace } from './checkpoint'
import { readCsvPrices } from './csv-prices'
import { readLitellmPrices } from './litellm-prices'
import { withoutRepeats } from './price'
import { importPrices } from './price-import'
import { ProblemReport } from './problem-report'
import type { Screen } from './screen'
import type { Sender } from './sender'
import { type SourceFile, wholeContent } from './source-file'

/** A list of every model there is has a few megabytes. */
const mostBytes = 32 * 1024 * 1024

export type PricesResult = { stored: number; known: number; problemCount: number; skipped: Record<string, number> }

/** Records the prices of a file: all that are not there yet, or, where anything in it is wrong, none. */
export async function importPriceFile(
  source: SourceFile,
  {
    format,
    project,
    place,
    screen,
    sender,
  }: { format: 'litellm' | 'prices-csv'; project: string; place: ImportPlace; screen: Screen; sender: Sender },
): Promise<PricesResult> {
  const content = await wholeContent(source, mostBytes)
  const text = content.toString('utf8').replace(/^\ufeff/, '')
  const list = isUtf8(content) ? withoutRepeats(format === 'litellm' ? readLitellmPrices(text) : readCsvPrices(text)) : undefined
  const problems = list?.problems ?? [{ line: 1, msg: 'The file is not valid UTF-8. Save it as UTF-8.' }]
  const report = await ProblemReport.open(place.problems, source.name, screen, 0)
  await report.add(problems)
  await report.close()
  if (!list || problems.length > 0) return { stored: 0, known: 0, problemCount: problems.length, skipped: {} }
  return { ...(await importPrices(list.prices, project, sender)), problemCount: 0, skipped: list.skipped }
}
