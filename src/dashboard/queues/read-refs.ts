/** Largest file that is read for references; a hundred of them take a tenth of this. */
export const mostFileBytes = 1_000_000

/**
 * The references in whatever somebody pastes: a JSON array (or an object holding one), code with quoted strings, a list
 * of lines or commas. What cannot be a reference is kept as it is, for the chip to say what is wrong with it.
 */
export function readRefs(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  return fromJson(trimmed) ?? fromCode(trimmed) ?? fromLines(trimmed)
}

function fromJson(text: string): string[] | undefined {
  if (!/^[[{"]/.test(text)) return undefined
  try {
    return stringsIn(JSON.parse(text)).filter((each, _, all) => isLikelyRef(each) || !all.some(isLikelyRef))
  } catch {
    return undefined
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  // Numbers and the like stand where a reference was meant: their chips say so.
  if (Array.isArray(value))
    return value.flatMap((item) => (typeof item === 'object' || typeof item === 'string' ? stringsIn(item) : [String(item)]))
  if (typeof value !== 'object' || value === null) return []
  const listed: unknown = Reflect.get(value, 'scorer_refs')
  return stringsIn(listed ?? Object.values(value))
}

/** Quoted strings of code, where at least one of them looks like a reference. */
function fromCode(text: string): string[] | undefined {
  const quoted = [...text.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g)].map((match) => (match[2] ?? '').trim())
  const refs = quoted.filter(isLikelyRef)
  return refs.length > 0 ? refs : undefined
}

function fromLines(text: string): string[] {
  return text
    .split(/[\n\r,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\/\/)/.test(line))
    .map((line) => line.replace(/^(?:[-*•]|\d+[.)])\s+/, '').replace(/^["'`]|["'`]$/g, ''))
    .flatMap((line) => (line.split('://').length > 2 ? line.split(/\s+/) : [line]))
    .filter((line) => line !== '')
}

function isLikelyRef(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)
}
