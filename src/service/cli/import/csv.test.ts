import { expect, test } from 'vitest'
import { readCsv } from './csv'

test.each<[string, string, [number, string[]][]]>([
  ['nothing', '', []],
  ['one field', 'a', [[1, ['a']]]],
  [
    'LF',
    'a,b\nc,d\n',
    [
      [1, ['a', 'b']],
      [2, ['c', 'd']],
    ],
  ],
  [
    'CRLF',
    'a,b\r\nc,d\r\n',
    [
      [1, ['a', 'b']],
      [2, ['c', 'd']],
    ],
  ],
  [
    'CR',
    'a,b\rc,d',
    [
      [1, ['a', 'b']],
      [2, ['c', 'd']],
    ],
  ],
  ['a byte order mark', '\ufeffa,b', [[1, ['a', 'b']]]],
  ['a byte order mark before quotes', '\ufeff"a",b', [[1, ['a', 'b']]]],
  ['empty fields', ',a,,\n', [[1, ['', 'a', '', '']]]],
  ['an empty field at the very end', 'a,', [[1, ['a', '']]]],
  ['an empty quoted field', '"",a', [[1, ['', 'a']]]],
  ['a quoted field that ends the file', 'a,"b"', [[1, ['a', 'b']]]],
  ['separators within quotes', '"a,b","c;d"', [[1, ['a,b', 'c;d']]]],
  ['quotes within quotes', '"say ""hi""",""""', [[1, ['say "hi"', '"']]]],
  [
    'line breaks within quotes, which count',
    '"a\r\nb\nc",d\ne,f',
    [
      [1, ['a\r\nb\nc', 'd']],
      [4, ['e', 'f']],
    ],
  ],
  [
    'blank lines, which count',
    'a\n\n  \nb\n\n',
    [
      [1, ['a']],
      [4, ['b']],
    ],
  ],
  ['spaces, which belong to the field', ' a , b', [[1, [' a ', ' b']]]],
  ['text beyond ASCII', 'é,"🧵"', [[1, ['é', '🧵']]]],
])('%s', (_, text, expected) => {
  const { records, problem } = readCsv(text)
  expect(problem).toBeUndefined()
  expect(records.map(({ line, fields }) => [line, fields])).toEqual(expected)
})

test.each([
  ['a\n"b,c\nd', 2, 'never closed'],
  ['a\n"b"c,d', 2, 'Text follows the closing quote of field 1'],
  ['a\nb,c"d', 2, 'A quote stands within field 2'],
  ['a, "b"', 1, 'A quote stands within field 2'],
])('%j is refused on its line, and what is before it is read', (text, line, msg) => {
  const { records, problem } = readCsv(text)
  expect(problem).toEqual({ line, msg: expect.stringContaining(msg) })
  expect(records).toHaveLength(line - 1)
})
