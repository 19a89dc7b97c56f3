import { maxDisplayFields } from '../../../contract/limits'

/** What reviewers are shown of a call unless somebody says otherwise. */
export const defaultDisplayFields = 'inputs, output'

export function parseDisplayFields(text: string): string[] {
  const fields = text.split(',').map((field) => field.trim())
  return [...new Set(fields.filter((field) => field !== ''))].slice(0, maxDisplayFields)
}
