import { formatVisibleText } from './visible-text'

/**
 * Text that people or models wrote, with line breaks and tabs as they are and its other invisible characters written out, as
 * `formatVisibleText` does for ids. Joiners and no-break spaces stay: Persian, emoji and French need them, and no id depends on
 * them here. Copies take the text itself.
 */
export function formatVisibleContent(text: string): string {
  return text.replaceAll(hidden, formatVisibleText)
}

const hidden = /\r(?!\n)|(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]/gu
