import { HttpError } from './http-error'

/** JSON.parse takes any depth, but printing and walking the value recurse. */
const maxDepth = 500

/**
 * Parses a body; `name` is what messages call it. Throws a 422 `HttpError` for bytes that are not UTF-8, not JSON, or
 * nested too deeply. A lone surrogate, which a JSON escape can spell but UTF-8 cannot hold, becomes U+FFFD in every text
 * and key, so that what is stored, searched for and returned is the same.
 */
export function parseJson(bytes: Uint8Array, name = 'body'): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(`The ${name} is not valid UTF-8.`)
  }
  if (isDeeperThan(bytes, maxDepth)) throw invalid(`The ${name} is nested too deeply: at most ${maxDepth} levels.`)
  try {
    return JSON.parse(/\\u[dD][89a-fA-F]/.test(text) ? replaceLoneSurrogates(text) : text)
  } catch {
    const hint = text.trim() === '' ? `The ${name} is empty.` : `The ${name} is not valid JSON.`
    throw invalid(`${hint} Expected a JSON object.`)
  }
}

// Matches every escape, so that the second half of an escaped backslash is not taken for the start of one.
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|[^])/g

function replaceLoneSurrogates(json: string): string {
  return json.replace(escapes, (escape) => (/^.u[dD][89a-fA-F]..$/.test(escape) ? '\\ufffd' : escape))
}

function invalid(msg: string): HttpError {
  return new HttpError('invalid', { loc: ['body'], msg, type: 'json_invalid' })
}

const quote = 0x22
const backslash = 0x5c

/** Whether brackets outside of strings nest deeper than `limit`. */
function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
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
