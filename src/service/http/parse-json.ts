import { HttpError } from './http-error'

/** Deeper JSON is refused: what parses without recursion is printed and walked with it later. */
const deepestNesting = 500

/**
 * Parses a body; `name` is what messages call it. A lone surrogate, which an escape can spell but no UTF-8 can carry, becomes
 * U+FFFD: in every text and key, so that what is stored, looked for and answered is the same. Throws a `Refusal` for bytes
 * that are not UTF-8, not JSON, or nested without reason.
 */
export function parseJson(bytes: Uint8Array, name = 'body'): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(`The ${name} is not valid UTF-8.`)
  }
  if (isNestedDeeper(bytes, deepestNesting)) throw invalid(`The ${name} is nested too deeply: at most ${deepestNesting} levels.`)
  try {
    return JSON.parse(/\\u[dD][89a-fA-F]/.test(text) ? wellFormed(text) : text)
  } catch {
    const hint = text.trim() === '' ? `The ${name} is empty.` : `The ${name} is not valid JSON.`
    throw invalid(`${hint} Expected a JSON object.`)
  }
}

// Every escape is matched, so that the second backslash of an escaped one is not taken for the start of another.
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|[^])/g

function wellFormed(json: string): string {
  return json.replace(escapes, (escape) => (/^.u[dD][89a-fA-F]..$/.test(escape) ? '\\ufffd' : escape))
}

function invalid(msg: string): HttpError {
  return new HttpError('invalid', { loc: ['body'], msg, type: 'json_invalid' })
}

const quote = 0x22
const backslash = 0x5c

/** Whether brackets open more than `limit` deep, those inside strings left aside. */
function isNestedDeeper(bytes: Uint8Array, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (isInString) {
      if (byte === backslash) index += 1
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  return false
}
