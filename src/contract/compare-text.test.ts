import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../testing/test-property'
import { compareText } from './compare-text'

test('text is ordered by code points, so an emoji comes after U+FFFD', () => {
  expect(['😀', 'b', '\ufffd', 'ab', 'é', 'a', ''].toSorted(compareText)).toEqual(['', 'a', 'ab', 'b', 'é', '\ufffd', '😀'])
})

testProperty(
  'the order is that of the UTF-8 bytes',
  fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { minLength: 2 }),
  { runs: 1000 },
  (texts) => {
    const byBytes = texts.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    expect(texts.toSorted(compareText)).toEqual(byBytes)
  },
)
