/** Thread ids out of pasted text: lines, commas, or JSON (a list of texts, or of objects with a `thread_id`). Repeats are dropped. */
export function parseThreadIds(text: string): string[] {
  const ids = idsInJson(text.trim()) ?? text.split(/[\n,;\t]/).map(unquoted)
  return [...new Set(ids.filter((id) => id !== ''))]
}

function idsInJson(text: string): string[] | undefined {
  if (!/^[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value : [value]).flatMap(idsInItem)
  } catch {
    // JSON lines, as an export has them; anything else is no JSON.
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    if (lines.length < 2 || !lines.every((line) => line.trimStart().startsWith('{'))) return undefined
    return lines.flatMap((line) => idsInJson(line.trim()) ?? [])
  }
}

function idsInItem(item: unknown): string[] {
  if (typeof item === 'string') return [item]
  if (typeof item !== 'object' || item === null) return []
  return 'thread_id' in item && typeof item.thread_id === 'string' ? [item.thread_id] : []
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2')
}
