/** One word of a POSIX shell. Single quotes keep everything but themselves. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
