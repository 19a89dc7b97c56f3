import * as z from 'zod/mini'

/** As the SDKs write it. Other schemes, and `scorer` in place of `object`, are accepted too. */
export const scorerRefForm = 'weave:///<entity>/<project>/object/<name>:<version>'
const example = 'weave:///acme/support/object/Helpfulness:v3'

/** Maximum number of scorer references of a queue. */
export const maxScorerRefs = 100

/** The parts of a scorer reference, percent-encoding unchanged. */
export type ScorerRefParts = {
  scheme: string
  entity: string
  project: string
  kind: 'scorer' | 'object'
  name: string
  version: string
}

/**
 * Parses `{scheme}:///<entity>/<project>/<kind>/<name>:<version>` (kind: scorer or object).
 * Returns a string where the text is invalid: what is wrong, and the expected form.
 */
export function parseScorerRef(text: string): ScorerRefParts | string {
  const reason = (problem: string) => `${problem} Expected ${scorerRefForm}, such as ${example}.`
  const schemeEnd = text.indexOf(':///')
  if (schemeEnd < 0) return reason('It must begin with weave:///.')
  const scheme = text.slice(0, schemeEnd)
  if (!/^[A-Za-z][A-Za-z0-9+.-]{0,63}$/.test(scheme)) {
    return reason('The scheme must be a letter, then at most 63 letters, digits, +, . or -.')
  }
  const parts = text.slice(schemeEnd + 4).split('/')
  if (parts.length !== 4) return reason(`${parts.length} parts after the scheme instead of four.`)
  const [entity = '', project = '', kind = '', tail = ''] = parts
  if (!isPathPart(entity)) return reason('The entity is empty or has an invalid character.')
  if (!isPathPart(project)) return reason('The project is empty or has an invalid character.')
  if (kind !== 'scorer' && kind !== 'object') return reason("The kind must be 'scorer' or 'object'.")
  const colon = tail.indexOf(':')
  if (colon < 0) return reason("No ':<version>' after the name.")
  const name = tail.slice(0, colon)
  const version = tail.slice(colon + 1)
  if (!/^(?:[A-Za-z0-9_.-]|%[0-9A-Fa-f]{2}){1,128}$/.test(name)) {
    return reason('The name must be 1 to 128 letters, digits, _, . or -; anything else percent-encoded.')
  }
  if (!/^[A-Za-z0-9]{1,64}$/.test(version)) {
    return reason("The version must be 1 to 64 letters or digits (a digest, 'latest' or 'v<N>').")
  }
  return { scheme, entity, project, kind, name, version }
}

/** A scorer's name as people write it. Text that is not valid percent-encoding stays unchanged. */
export function decodeScorerName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function isPathPart(text: string): boolean {
  return /^[^\s\p{Cc}?#]{1,256}$/u.test(text)
}

/** A scorer reference. Parsing leaves its text as it was sent. */
export const ScorerRef = z.string().check((context) => {
  const parsed = parseScorerRef(context.value)
  if (typeof parsed === 'string') {
    context.issues.push({ code: 'custom', message: parsed, params: { type: 'value_error' }, input: context.value })
  }
})
export type ScorerRef = z.infer<typeof ScorerRef>
