import { expect, test } from 'vitest'
import { readCsv } from './csv'

test('reads records with the line on which each begins', () => {
  expect(readCsv('model,price\n"gpt-4o, new",2.5\n')).toEqual({
    records: [
      { line: 1, fields: ['model', 'price'] },
      { line: 2, fields: ['gpt-4o, new', '2.5'] },
    ],
    problem: undefined,
  })
})

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
  ['empty fields', ',a,,\n', [[1, ['', 'a', '', '']]]],
  ['an empty field at the very end', 'a,', [[1, ['a', '']]]],
  ['an empty quoted field', '"",a', [[1, ['', 'a']]]],
  ['a quoted field that ends the file', 'a,"b"', [[1, ['a', 'b']]]],
  ['commas and semicolons in quotes', '"a,b","c;d"', [[1, ['a,b', 'c;d']]]],
  ['quotes in a quoted field', '"say ""hi""",""""', [[1, ['say "hi"', '"']]]],
  [
    'line breaks in quotes, which count as lines',
    '"a\r\nb\nc",d\ne,f',
    [
      [1, ['a\r\nb\nc', 'd']],
      [4, ['e', 'f']],
    ],
  ],
  [
    'blank lines, which count as lines',
    'a\n\n  \nb\n\n',
    [
      [1, ['a']],
      [4, ['b']],
    ],
  ],
  ['spaces, which are part of the field', ' a , b', [[1, [' a ', ' b']]]],
  ['text beyond ASCII', 'é,"🧵"', [[1, ['é', '🧵']]]],
])('reads %s', (_, text, expected) => {
  const { records, problem } = readCsv(text)
  expect(problem).toBeUndefined()
  expect(records.map(({ line, fields }) => [line, fields])).toEqual(expected)
})

test.each([
  ['a\n"b,c\nd', 2, 1],
  ['a\n"b"c,d', 2, 1],
  ['a\nb,c"d', 2, 2],
  ['a, "b"', 1, 2],
])('stops at a wrong quote in %j', (text, line, field) => {
  const { records, problem } = readCsv(text)
  expect(problem).toEqual({ line, msg: expect.stringContaining(`A quote is in the wrong place in field ${field}.`) })
  expect(records).toHaveLength(line - 1)
})

test('a quote of many megabytes that is never closed is a problem with its line', () => {
  expect(readCsv(`a,b\n"${'a,\n'.repeat(5_000_000)}`)).toMatchObject({ records: [{ line: 1 }], problem: { line: 2 } })
})
