import { amount, counted, duration } from './amount'
import type { LinesResult } from './import-lines'
import type { PricesResult } from './import-price-file'

/** What became of a file of calls or spans, for its owner. */
export function summaryOfLines(
  name: string,
  unit: string,
  result: LinesResult,
  { seconds, isStopped }: { seconds: number; isStopped: boolean },
): string[] {
  const { stored, storedNow, problemCount, lineNumber, wasDone } = result
  const refused = problemCount > 0 ? [`  ${counted(problemCount, 'lines')} refused: ${result.problemsPath}`] : []
  const skipped = skippedLines(result.skipped)
  if (wasDone)
    return [`${name}: imported before, ${counted(stored, unit)} stored. --fresh sends it again.`, ...refused, ...skipped]
  const rate = seconds > 0 ? `, ${amount(Math.round(storedNow / seconds))} a second` : ''
  const total = storedNow === stored ? '' : `; ${amount(stored)} in all`
  const head = `${name}: ${counted(storedNow, unit)} stored in ${duration(seconds)}${rate}${total}.`
  const stop = isStopped ? [`  Stopped behind line ${amount(lineNumber)}. Give the same command again to go on from there.`] : []
  return [head, ...refused, ...skipped, ...stop]
}

/** What became of a file of prices. */
export function summaryOfPrices(
  name: string,
  project: string,
  { stored, known, problemCount, skipped }: PricesResult,
  problemsPath: string,
): string[] {
  if (problemCount > 0) {
    return [`${name}: nothing stored; ${counted(problemCount, 'lines')} refused: ${problemsPath}`, ...skippedLines(skipped)]
  }
  const there = known > 0 ? `, ${amount(known)} there already` : ''
  return [`${name}: ${counted(stored, 'prices')} stored in ${project}${there}.`, ...skippedLines(skipped)]
}

function skippedLines(skipped: Readonly<Record<string, number>>): string[] {
  return Object.entries(skipped).map(([reason, count]) => `  left out: ${reason} (${amount(count)})`)
}
