import { createHash } from 'node:crypto'
import { compareText } from '../../contract/compare-text'

/** The digest that identifies content: SHA-256 as base64url, with letters and digits only. SDKs compute the same. */
export function toDigest(content: string | Uint8Array): string {
  const builder = new DigestBuilder()
  builder.add(content)
  return builder.toDigest()
}

/** The digest of content that comes in pieces. */
export class DigestBuilder {
  private readonly hash = createHash('sha256')

  add(content: string | Uint8Array): void {
    this.hash.update(content)
  }

  toDigest(): string {
    return toLettersAndDigits(this.hash.digest('base64url'))
  }

  /** The digest in hexadecimal digits, which SDKs use for tables alone. */
  toHexDigest(): string {
    return this.hash.digest('hex')
  }
}

/** What `toDigest` gives for the content that has this hexadecimal digest; undefined for text that is none. */
export function hexToDigest(hexDigest: string): string | undefined {
  if (!/^[0-9a-f]{64}$/.test(hexDigest)) return undefined
  return toLettersAndDigits(Buffer.from(hexDigest, 'hex').toString('base64url'))
}

function toLettersAndDigits(base64url: string): string {
  return base64url.replaceAll('-', 'X').replaceAll('_', 'Y')
}

/**
 * The text of a JSON value that digests are computed from, whatever the order of its keys. It is what Python's
 * `json.dumps(value, sort_keys=True)` prints, because the Weave SDK for Python computes digests from that. One difference
 * remains: JSON.parse reads 1.0 as 1.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return toAsciiText(value)
  if (typeof value === 'number') return toPythonNumber(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .toSorted(([left], [right]) => compareText(left, right))
    return `{${entries.map(([key, each]) => `${toAsciiText(key)}: ${canonicalJson(each)}`).join(', ')}}`
  }
  return JSON.stringify(value ?? null)
}

function toAsciiText(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Python prints exponents for numbers below 0.0001, with at least two digits. */
function toPythonNumber(number: number): string {
  const text = number !== 0 && Math.abs(number) < 1e-4 ? number.toExponential() : String(number)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}
