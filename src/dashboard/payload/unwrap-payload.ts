import { isJsonObject } from '../../contract/json-value'
import { parseNested } from './message-parts'

/**
 * What a person looks for in inputs or an output. OpenTelemetry's conventions keep it under one attribute, and often as text of
 * JSON: `{"output.value":"21 degrees"}` is shown as the text with the attribute's name above it.
 */
export function unwrapPayload(value: unknown): { name: string | null; value: unknown } {
  const entries = isJsonObject(value) ? Object.entries(value) : []
  const [entry] = entries
  // Names of attributes have dots; the names of a program's own fields do not.
  if (!entry || entries.length > 1 || !entry[0].includes('.')) return { name: null, value }
  return { name: entry[0], value: parseNested(entry[1]) }
}
