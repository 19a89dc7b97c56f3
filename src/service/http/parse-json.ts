import { Refusal } from './refusal'

/** Deeper JSON is refused: what parses without recursion is printed and walked with it later. */
const deepestNesting = 500

/** Parses a body. Throws a `Refusal` for bytes that are not UTF-8, not JSON, or nested without reason. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
  if (isNestedDeeper(bytes, deepestNesting)) throw invalid(`The body is nested too deeply: at most ${deepestNesting} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    const hint = text.trim() === '' ? 'The body is empty.' : 'The body is not valid JSON.'
    throw invalid(`${hint} Expected a JSON object.`)
  }
}

function invalid(msg: string): Refusal {
  return new Refusal('invalid', { loc: ['body'], msg, type: 'json_invalid' })
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
