/** A block is laid out in about a millisecond, and only when it is in sight. */
const blockLength = 4000
/** How far before its end a block looks for a place where it may end. */
const searchLength = 500

/**
 * A long text in blocks, each ending after a line or at least after a word where there is one: one element with megabytes of
 * text would block the page for seconds.
 *
 * @example splitText('short') // ['short']
 */
export function splitText(text: string): string[] {
  const blocks: string[] = []
  for (let start = 0; start < text.length;) {
    const end = start + blockLength >= text.length ? text.length : findBreak(text, start)
    blocks.push(text.slice(start, end))
    start = end
  }
  return blocks
}

function findBreak(text: string, start: number): number {
  const end = start + blockLength
  const tail = text.slice(end - searchLength, end)
  for (const mark of ['\n', ' ', ',']) {
    const place = tail.lastIndexOf(mark)
    if (place >= 0) return end - searchLength + place + 1
  }
  // Never between the two halves of a character.
  return (text.codePointAt(end - 1) ?? 0) > 0xff_ff ? end - 1 : end
}
