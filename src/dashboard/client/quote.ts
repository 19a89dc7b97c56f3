/** One word of a POSIX shell. Single quotes keep everything but themselves. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
