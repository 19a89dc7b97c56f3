/** The text of a message's content: text itself, or a list of parts of which some have text. */
export function toText(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(toText).join('')
  if (typeof content !== 'object' || content === null) return ''
  if ('text' in content) return toText(content.text)
  return 'content' in content ? toText(content.content) : ''
}
