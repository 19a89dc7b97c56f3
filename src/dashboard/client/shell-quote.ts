/** One word of a POSIX shell. Single quotes keep everything but themselves. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The same, but without quotes where the shell gives no character a meaning. */
export function shellQuoteIfNeeded(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : shellQuote(text)
}
