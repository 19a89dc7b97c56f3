/**
 * Text of others with its invisible characters written out: control characters, marks of direction, zero-width characters,
 * lone surrogates. Without this an id could look like another one, or turn the text around it. Copies take the text itself.
 *
 * @example formatVisibleText('a\u202Etxt.exe') // 'a\\u202Etxt.exe'
 */
export function formatVisibleText(text: string): string {
  return text.replaceAll(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0
    const digits = code.toString(16).toUpperCase().padStart(4, '0')
    return code > 0xff_ff ? String.raw`\u{${digits}}` : String.raw`\u${digits}`
  })
}

/** The same for text of several lines, such as code and descriptions. */
export function formatVisibleLines(text: string): string {
  return text.split(/\r?\n/).map(formatVisibleText).join('\n')
}

/** For beside a text field, which shows text as its invisible characters turn it around. Undefined for a text without any. */
export function describeInvisible(text: string): string | undefined {
  const shown = formatVisibleText(text)
  return shown === text ? undefined : `It has invisible characters and is shown as ${cutMiddle(shown, 100)}`
}

const tailLength = 8

/** The text before its last characters, and these. Undefined for a text that is too short to leave out its middle. */
export function splitEnd(text: string): { head: string; tail: string } | undefined {
  const characters = Array.from(text)
  return characters.length < 2 * tailLength
    ? undefined
    : { head: characters.slice(0, -tailLength).join(''), tail: characters.slice(-tailLength).join('') }
}

/**
 * At most `maxLength` characters, for a place that cannot cut its text itself: ids often differ only at their end.
 *
 * @example cutMiddle('anthropic/claude-sonnet-4-5', 16) // 'anthrop…nnet-4-5'
 */
export function cutMiddle(text: string, maxLength: number): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  return `${characters.slice(0, maxLength - tailLength - 1).join('')}…${characters.slice(-tailLength).join('')}`
}

// \p{Cf} has a joiner that families of emoji need: it is written out too, because two ids may differ by it alone.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00A0\u115F\u1160\u3164\uFFA0]/gu
