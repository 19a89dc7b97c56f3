import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListSplitter } from './list-splitter'

/** Splits a text that arrives in pieces of `size` bytes. */
function split(text: string, listDepth: 1 | 2, size = Infinity): { lines: string[]; isComplete: boolean } {
  const splitter = new ListSplitter(listDepth)
  const bytes = new TextEncoder().encode(text)
  const parts: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += size) parts.push(splitter.toLines(bytes.subarray(start, start + size)))
  const lines = Buffer.concat(parts).toString().split('\n')
  return { lines: lines.map((line) => line.trim()).filter((line) => line !== ''), isComplete: splitter.isComplete }
}

test('each element of a list becomes a line', () => {
  expect(split('[{"a":[1,2]},\n {"b":"x, ]}\\""}]', 1)).toEqual({ lines: ['{"a":[1,2]}', '{"b":"x, ]}\\""}'], isComplete: true })
})

test('what stands around a list inside an object is left out', () => {
  expect(split('{"threads": [1, {"a":[]}], "next": null}', 2)).toEqual({ lines: ['1', '{"a":[]}'], isComplete: true })
})

test('a list that breaks off is not complete, even after a comma', () => {
  expect(split('[1,2,', 1)).toEqual({ lines: ['1', '2'], isComplete: false })
})

test('any list is split into its elements, whatever the size of the pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), fc.boolean(), (list, size, isPretty) => {
      const read = (text: string, depth: 1 | 2) => split(text, depth, size).lines.map((line): unknown => JSON.parse(line))
      const indent = isPretty ? 2 : 0
      // JSON has no -0.
      const sent: unknown = JSON.parse(JSON.stringify(list))
      expect(read(JSON.stringify(list, null, indent), 1)).toEqual(sent)
      expect(read(JSON.stringify({ threads: list }, null, indent), 2)).toEqual(sent)
    }),
    { numRuns: 100 },
  )
})
