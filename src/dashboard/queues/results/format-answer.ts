import { formatVisibleText } from '../../format/visible-text'

/** An answer as people gave it: `yes`, `4.5`, `kind`; JSON of anything else. */
export function formatAnswer(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return formatVisibleText(value)
  return formatVisibleText(JSON.stringify(value) ?? '')
}

/** A mean with as many digits as it is good for. */
export function formatMean(value: number): string {
  return String(Number(value.toPrecision(4)))
}
