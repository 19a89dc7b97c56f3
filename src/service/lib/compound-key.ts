/** One text for several, different for every list of parts: each is preceded by its length. */
export function toCompoundKey(...parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('')
}
