/**
 * The message of an exception and its stack, if it has one. Python writes the message after the stack, others before it.
 *
 * @example splitException('Error: no\n    at f (a.js:1:2)') // { message: 'Error: no', stack: '    at f (a.js:1:2)' }
 */
export function splitException(text: string): { message: string; stack: string | null } {
  const lines = text.trimEnd().split('\n')
  if (/^\s*Traceback \(most recent call last\)/.test(text)) {
    // Messages may have several lines; those of the stack are indented.
    const lastFrame = lines.findLastIndex((line) => /^\s+File "/.test(line))
    const start = lines.findIndex((line, index) => index > lastFrame && /^\S/.test(line))
    return { message: lines.slice(start < 0 ? -1 : start).join('\n'), stack: text.trimEnd() }
  }
  const frame = lines.findIndex((line) => /^\s+at\s/.test(line))
  return frame > 0
    ? { message: lines.slice(0, frame).join('\n'), stack: lines.slice(frame).join('\n') }
    : { message: text.trimEnd(), stack: null }
}
