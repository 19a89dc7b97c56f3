import { expect, test, vi } from 'vitest'
import { RowParser } from './row-parser'

function parseInChunks(text: string, chunkBytes: number, exceptionTag?: string): unknown[] {
  const bytes = Buffer.from(text)
  const parser = new RowParser(exceptionTag)
  const rows: unknown[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    for (const some of parser.add(bytes.subarray(start, start + chunkBytes))) rows.push(...some)
  }
  parser.end()
  return rows
}

const toLines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

test('each line is a row', () => {
  const parser = new RowParser()
  expect([...parser.add(Buffer.from('{"id":"a"}\n{"id":"b"}\n{"id'))].flat()).toEqual([{ id: 'a' }, { id: 'b' }])
  expect([...parser.add(Buffer.from('":"c"}\n'))].flat()).toEqual([{ id: 'c' }])
  parser.end()
})

test.each([1, 2, 7, 100, 65_535, 65_536, 65_537, 10_000_000])(
  'rows of any size are whole in chunks of %d bytes',
  (chunkBytes) => {
    const texts = ['', 'a', 'line\nbreak\r\n', '😀é"\\', ',', 'x'.repeat(chunkBytes < 100 ? 1000 : 200_000)]
    const rows = [...texts, ...texts].map((text) => ({ text, more: [text, 1.5, null] }))
    expect(parseInChunks(toLines(rows), chunkBytes, 'tag')).toEqual(rows)
  },
)

test('a chunk of many rows is parsed piece by piece, as the pieces are taken', () => {
  const chunk = Buffer.from(toLines(Array.from({ length: 20_000 }, (_, id) => ({ id }))))
  const parse = vi.spyOn(JSON, 'parse')
  const pieces = new RowParser().add(chunk)
  pieces.next()
  const lengths = parse.mock.calls.map(([text]) => text.length)
  parse.mockRestore()
  expect(lengths).toHaveLength(1)
  expect(lengths[0]).toBeLessThanOrEqual(64 * 1024 + 1)
  expect([...pieces].flat().at(-1)).toEqual({ id: 19_999 })
})

const marked =
  '\r\n__exception__\r\nabcdefghijklmnop\nCode: 395. DB::Exception: too bad. (FUNCTION_THROW)\n52 abcdefghijklmnop\r\n__exception__\r\n'

test.each([1, 20, 60, 10_000])('an error that a server marks after some rows is thrown, in chunks of %d bytes', (chunkBytes) => {
  expect(() => parseInChunks(toLines([{ id: 1 }]) + marked, chunkBytes, 'abcdefghijklmnop')).toThrow('too bad')
})

test('an error without a mark is thrown, and so is a row that breaks off', () => {
  const text = `${toLines([{ id: 1 }])}Code: 395. DB::Exception: too bad. (FUNCTION_THROW)`
  expect(() => parseInChunks(text, 1000)).toThrow('too bad')
  expect(() => parseInChunks('{"id":1}\n{"id":', 1000)).toThrow(/^The result of the engine broke off within a row\.$/)
})
