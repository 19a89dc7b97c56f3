import { expect, test } from 'vitest'
import { linesOf } from './lines'

async function read(chunks: readonly string[], mostBytes = 100, from = { offset: 0, lineNumber: 0 }) {
  const lines: [number, string | undefined, number][] = []
  async function* content() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  for await (const { number, bytes, end } of linesOf(content(), from, mostBytes)) lines.push([number, bytes?.toString(), end])
  return lines
}

test.each<[string, string, [number, string | undefined, number][]]>([
  ['nothing', '', []],
  [
    'a last line without an ending',
    'a\nbc',
    [
      [1, 'a', 2],
      [2, 'bc', 4],
    ],
  ],
  [
    'a last line with an ending',
    'a\nbc\n',
    [
      [1, 'a', 2],
      [2, 'bc', 5],
    ],
  ],
  [
    'CRLF',
    'a\r\nb\r\n',
    [
      [1, 'a', 3],
      [2, 'b', 6],
    ],
  ],
  [
    'a byte order mark',
    '\ufeffa\n\ufeffb\n',
    [
      [1, 'a', 5],
      [2, '\ufeffb', 10],
    ],
  ],
  ['blank lines, which count', '\n \t\r\na\n\n', [[3, 'a', 7]]],
  [
    'a line that is too long between others',
    'aaaa\nbbbbb\ncccc\n',
    [
      [1, 'aaaa', 5],
      [2, undefined, 11],
      [3, 'cccc', 16],
    ],
  ],
  [
    'a last line that is too long',
    'aaaa\nbbbbb',
    [
      [1, 'aaaa', 5],
      [2, undefined, 10],
    ],
  ],
  [
    'text beyond ASCII',
    'é\n🧵\n',
    [
      [1, 'é', 3],
      [2, '🧵', 8],
    ],
  ],
])('%s: the same lines however the content is cut', async (_, text, expected) => {
  const mostBytes = text.includes('bbbbb') ? 4 : 100
  expect(await read([text], mostBytes)).toEqual(expected)
  const bytes = Buffer.from(text)
  async function* bytewise() {
    for (let index = 0; index < bytes.length; index += 1) yield bytes.subarray(index, index + 1)
  }
  const lines: unknown[] = []
  for await (const line of linesOf(bytewise(), { offset: 0, lineNumber: 0 }, mostBytes)) {
    lines.push([line.number, line.bytes?.toString(), line.end])
  }
  expect(lines).toEqual(expected)
})

test('a later start goes on counting', async () => {
  expect(await read(['c\nd'], 100, { offset: 40, lineNumber: 7 })).toEqual([
    [8, 'c', 42],
    [9, 'd', 43],
  ])
})
