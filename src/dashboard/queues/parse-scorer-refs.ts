/**
 * Finds the references in pasted text: a JSON array (or an object that contains one), code with quoted strings, or a list
 * separated by lines or commas. Text that is no reference is kept, so that its chip can say what is wrong with it.
 */
export function parseScorerRefs(text: string): string[] {
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
  // A number stands where a reference was meant: keep it, so that its chip reports it.
  if (Array.isArray(value))
    return value.flatMap((item) => (typeof item === 'object' || typeof item === 'string' ? stringsIn(item) : [String(item)]))
  if (typeof value !== 'object' || value === null) return []
  const list: unknown = Reflect.get(value, 'scorer_refs')
  return stringsIn(list ?? Object.values(value))
}

/** The quoted strings of code that look like references; undefined if there is none. */
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
