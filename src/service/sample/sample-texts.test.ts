import { expect, test } from 'vitest'
import { readSampleTexts } from './sample-texts'

test('reads topics with their exchanges, and the words that fill the placeholders', () => {
  const { topics, products } = readSampleTexts()
  expect(topics[0].name).toBe('order-status')
  expect(topics[0].exchanges[0][0]).toBe('{opening}')
  expect(products).toContain('Ember stove')
})
