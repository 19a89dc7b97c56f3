import { maxBodyBytes } from '../../http/read-body'
import { parseJson } from '../../http/parse-json'
import { HttpError } from '../../http/http-error'
import type { Line } from './lines'
import { isJsonObject } from '../../../contract/json-value'

/** A line goes into one request, whose own brackets need a little room. */
export const mostLineBytes = maxBodyBytes - 64

const tooLong = `The line is longer than ${mostLineBytes} bytes, the most that fits into a request of ${maxBodyBytes / 1024 / 1024} MiB. Leave out large inputs or outputs.`

/** The JSON object a line holds, or why it holds none. */
export function objectOf({ bytes }: Line): { object: object } | { msg: string } {
  if (!bytes) return { msg: tooLong }
  try {
    const value = parseJson(bytes, 'line')
    return isJsonObject(value) ? { object: value } : { msg: 'The line is not a JSON object. Expected one object per line.' }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { msg: error.problems[0]?.msg ?? 'The line is not valid JSON.' }
  }
}
