import { formatCount } from '../../format/count'
import { formatVisibleLines } from '../../format/visible-text'

/** A text may have a million characters, and a page of them would freeze the browser. The export and the call have it whole. */
const maxShownCharacters = 2000

/** An answer as people gave it: `yes`, `4.5`, `kind`; JSON of anything else. Lines stay lines. A long one is cut, and says so. */
export function formatAnswer(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const { length } = text
  if (length <= maxShownCharacters) return formatVisibleLines(text)
  return `${formatVisibleLines(text.slice(0, maxShownCharacters))}… (cut: ${formatCount(String(length))} characters in all)`
}

/** A mean with as many digits as it is good for. */
export function formatMean(value: number): string {
  return String(Number(value.toPrecision(4)))
}

/** `62.5 %`. Shares with a digit after the point add up to 100 better than whole ones do. */
export function formatShare(count: number, total: number): string {
  if (count === 0 || count === total) return count === 0 ? '0 %' : '100 %'
  const percent = (100 * count) / total
  // Neither nothing nor everything by rounding.
  if (percent < 0.1) return '<0.1 %'
  return percent > 99.9 ? '>99.9 %' : `${percent.toFixed(1)} %`
}
