import { expect, test } from 'vitest'
import { formatVisibleContent } from './visible-content'

test('text keeps its lines, tabs and joiners, and hidden characters are written out', () => {
  const kept = 'a\n\tb\r\nc \u{1F469}\u200D\u{1F4BB} می\u200Cخواهم 5\u00A0€'
  expect(formatVisibleContent(kept)).toBe(kept)
  expect(formatVisibleContent('a\u202Ecod.exe\u0000\u200B\r')).toBe(String.raw`a\u202Ecod.exe\u0000\u200B\u000D`)
})
