import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInputFile, readWholeFile, splitLines } from './input-file'

async function* toChunks(chunks: readonly Buffer[]) {
  yield* chunks
}

async function split(chunks: readonly Buffer[], maxBytes = 100) {
  const lines: [number, string | undefined][] = []
  for await (const { number, bytes } of splitLines(toChunks(chunks), maxBytes)) lines.push([number, bytes?.toString()])
  return lines
}

test('splits content into numbered lines, wherever its chunks end', async () => {
  expect(await split([Buffer.from('one\nt'), Buffer.from('wo\n\nfour')])).toEqual([
    [1, 'one'],
    [2, 'two'],
    [4, 'four'],
  ])
})

test.each<[string, string, [number, string | undefined][]]>([
  ['nothing', '', []],
  [
    'a last line without an ending',
    'a\nbc',
    [
      [1, 'a'],
      [2, 'bc'],
    ],
  ],
  [
    'a last line with an ending',
    'a\nbc\n',
    [
      [1, 'a'],
      [2, 'bc'],
    ],
  ],
  [
    'CRLF',
    'a\r\nb\r\n',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'a byte order mark, which only the first line can have',
    '\ufeffa\n\ufeffb\n',
    [
      [1, 'a'],
      [2, '\ufeffb'],
    ],
  ],
  ['blank lines, which count', '\n \t\r\na\n\n', [[3, 'a']]],
  [
    'a line that is too long',
    'aaaa\nbbbbb\ncccc\n',
    [
      [1, 'aaaa'],
      [2, undefined],
      [3, 'cccc'],
    ],
  ],
  [
    'a last line that is too long',
    'aaaa\nbbbbb',
    [
      [1, 'aaaa'],
      [2, undefined],
    ],
  ],
  [
    'text beyond ASCII',
    'é\n🧵\n',
    [
      [1, 'é'],
      [2, '🧵'],
    ],
  ],
])('reads %s, in one chunk and byte by byte', async (_, text, expected) => {
  const maxBytes = text.includes('bbbbb') ? 4 : 100
  const content = Buffer.from(text)
  expect(await split([content], maxBytes)).toEqual(expected)
  expect(
    await split(
      Array.from(content, (byte) => Buffer.from([byte])),
      maxBytes,
    ),
  ).toEqual(expected)
})

test('refuses to read a file of more than 256 MiB as a whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spool-input-'))
  try {
    const path = join(folder, 'large.json')
    writeFileSync(path, '{')
    truncateSync(path, 257 * 1024 * 1024) // A sparse file, which occupies no space.
    const file = await openInputFile('large.json', path)
    await expect(readWholeFile(file)).rejects.toThrow(
      'large.json is larger than 256 MiB, the limit for a file that is not JSON lines. Split it.',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
