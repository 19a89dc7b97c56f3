import { string } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { splitText } from './split-text'

test('a long text is split after a line, else after a word', () => {
  expect(splitText('short')).toEqual(['short'])
  expect(splitText('')).toEqual([])
  const lines = splitText(`${'x'.repeat(3800)}\n${'y z'.repeat(2000)}`)
  expect(lines[0]).toBe(`${'x'.repeat(3800)}\n`)
  expect(lines[1]).toMatch(/y $/)
})

testProperty(
  'the blocks are the text, and no character is cut in two',
  string({ unit: 'binary', maxLength: 60 }),
  { runs: 100 },
  (text) => {
    const long = text.repeat(400)
    const blocks = splitText(long)
    expect(blocks.join('')).toBe(long)
    const isCut = (block: string) => /\p{Cs}/u.test(block)
    if (!isCut(long)) expect(blocks.some(isCut)).toBe(false)
    expect(Math.max(0, ...blocks.map(({ length }) => length))).toBeLessThanOrEqual(4000)
  },
)
