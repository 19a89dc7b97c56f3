/** Thread ids in pasted text: lines, commas, or JSON (strings, or objects with a `thread_id`). Duplicates are dropped. */
export function parseThreadIds(text: string): string[] {
  const ids = parseJsonIds(text.trim()) ?? text.split(/[\n,;\t]/).map(unquote)
  return [...new Set(ids.filter((id) => id !== ''))]
}

function parseJsonIds(text: string): string[] | undefined {
  if (!/^[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value : [value]).flatMap(toIds)
  } catch {
    // Not one JSON value: perhaps JSON lines, as in an export.
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    if (lines.length < 2 || !lines.every((line) => line.trimStart().startsWith('{'))) return undefined
    return lines.flatMap((line) => parseJsonIds(line.trim()) ?? [])
  }
}

function toIds(item: unknown): string[] {
  if (typeof item === 'string') return [item]
  if (typeof item !== 'object' || item === null) return []
  return 'thread_id' in item && typeof item.thread_id === 'string' ? [item.thread_id] : []
}

function unquote(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2')
}
