import { maxDisplayFieldLength, maxDisplayFields } from '../../../contract/limits'
import { formatCount } from '../../format/count'

/** What reviewers are shown of a call unless somebody says otherwise. */
export const defaultDisplayFields = 'inputs, output'

/** The fields in a text with commas between them, each once. */
export function parseDisplayFields(text: string): string[] {
  const fields = text.split(',').map((field) => field.trim())
  return [...new Set(fields.filter((field) => field !== ''))]
}

/** Why the service would refuse these fields. */
export function findDisplayFieldsProblem(text: string): string | undefined {
  const fields = parseDisplayFields(text)
  if (fields.length > maxDisplayFields) return `At most ${maxDisplayFields} fields. These are ${fields.length}.`
  const long = fields.find((field) => field.length > maxDisplayFieldLength)
  return (
    long &&
    `A field has at most ${formatCount(String(maxDisplayFieldLength))} characters. One has ${formatCount(String(long.length))}.`
  )
}
