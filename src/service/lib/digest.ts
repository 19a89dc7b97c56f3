import { createHash } from 'node:crypto'
import { compareText } from '../../contract/compare-text'

/** What content is known by: sha256 as base64url in letters and digits only. Clients work it out the same way. */
export function toDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
}

/**
 * The one text of a JSON value that its digest is taken of, whatever order its keys came in. It is what Python's
 * `json.dumps(value, sort_keys=True)` prints, since the Weave SDK for Python works digests out from that; what JSON.parse
 * has forgotten by now cannot be told apart: 1.0 is 1 here.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return asciiText(value)
  if (typeof value === 'number') return numberText(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .toSorted(([left], [right]) => compareText(left, right))
    return `{${entries.map(([key, each]) => `${asciiText(key)}: ${canonicalJson(each)}`).join(', ')}}`
  }
  return JSON.stringify(value ?? null)
}

function asciiText(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Python turns to exponents below 0.0001 and gives them two digits at least. */
function numberText(number: number): string {
  const text = number !== 0 && Math.abs(number) < 1e-4 ? number.toExponential() : String(number)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}
