import type { Call } from '../../../contract/calls'
import { stringifyWithJsonText } from '../../lib/json-text'

/** The call as a client reads it: its stored JSON is text until then. */
export function asSent(call: Call): Call {
  return JSON.parse(stringifyWithJsonText(call)) as Call // the text of a call
}
