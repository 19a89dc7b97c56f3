import { formatCount } from './decimal'

/** How a price changed against the one before: `−20.0 %`, `+1,000 %`; undefined where a percentage says nothing. */
export function formatChange(before: number | null | undefined, after: number | null | undefined): string | undefined {
  if (before === null || before === undefined || after === null || after === undefined || before === 0) return undefined
  const percent = (after / before - 1) * 100
  const size = Math.abs(percent)
  if (size < 0.05) return after === before ? 'no change' : '±0.0 %'
  const text = size >= 100 ? formatCount(String(Math.round(size))) : size.toFixed(1)
  return `${percent < 0 ? '−' : '+'}${text} %`
}
