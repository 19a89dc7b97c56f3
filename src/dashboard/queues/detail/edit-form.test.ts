import { expect, test } from 'vitest'
import { findEditErrors, toChange } from './edit-form'

const queue = { name: 'Slow answers', description: 'Why', reviews_per_item: 2, assignees: ['ann', 'bob'] }

test('only what a person changed is sent', () => {
  expect(toChange(queue, queue)).toEqual({})
  expect(toChange({ ...queue, name: ' Fast answers ', assignees: ['bob', 'ann'] }, queue)).toEqual({ name: 'Fast answers' })
  expect(toChange({ ...queue, assignees: ['ann', 'cy'], reviews_per_item: 1, description: '' }, queue)).toEqual({
    assignees: ['ann', 'cy'],
    reviews_per_item: 1,
    description: '',
  })
})

test('each problem stands at its field, as the service says it', () => {
  expect(findEditErrors(queue)).toEqual({})
  expect(findEditErrors({ ...queue, name: ' ' }).name).toMatch(/\S/)
  expect(findEditErrors({ ...queue, description: 'x'.repeat(65_537) }).description).toBe('Too long: at most 65,536 characters.')
  expect(findEditErrors({ ...queue, reviews_per_item: 6 })).toMatchObject({
    reviews_per_item: 'Must be a whole number from 1 to 5.',
    assignees: expect.stringMatching(/^Each item needs 6 different people, but only 2 are assigned/) as string,
  })
  expect(findEditErrors({ ...queue, assignees: ['ann'] }).assignees).toMatch(/only 1/)
})
