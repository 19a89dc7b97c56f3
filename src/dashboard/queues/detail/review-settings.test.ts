import { expect, test } from 'vitest'
import { addNames, isUsual, parseNames, usualSettings } from './review-settings'

test('names are typed or pasted with commas, semicolons or lines between them, and each counts once', () => {
  expect(parseNames(' ann, bob;\ncy ,, ')).toEqual(['ann', 'bob', 'cy'])
  expect(addNames(['ann'], ['bob', 'ann', 'bob'])).toEqual(['ann', 'bob'])
})

test('one review by anybody is the usual, which a request need not say', () => {
  expect(isUsual(usualSettings)).toBe(true)
  expect([isUsual({ reviews_per_item: 2, assignees: [] }), isUsual({ reviews_per_item: 1, assignees: ['ann'] })]).toEqual([
    false,
    false,
  ])
})
