import { expect, test } from 'vitest'
import { changeScorerRefs, type ScorerChange } from './change-scorer-refs'

test('a queue moves to another version in the same place, and back', () => {
  const moved = changeScorerRefs(['tone:1', 'help:1'], { from: 'tone:1', to: 'tone:2' })
  expect(moved?.refs).toEqual(['tone:2', 'help:1'])
  expect(changeScorerRefs(moved!.refs, moved!.inverse)?.refs).toEqual(['tone:1', 'help:1'])
})

test.each<ScorerChange>([{ to: 'c' }, { from: 'a' }, { from: 'b' }, { from: 'a', to: 'c' }])('%j can be undone', (change) => {
  const { refs, inverse } = changeScorerRefs(['a', 'b'], change)!
  expect(refs).not.toEqual(['a', 'b'])
  expect(changeScorerRefs(refs, inverse)?.refs).toEqual(['a', 'b'])
})

test('a scorer that somebody else has removed meanwhile is not changed', () => {
  expect(changeScorerRefs(['b'], { from: 'a', to: 'c' })).toBeUndefined()
})

test('a queue that has the newer version too has it once afterwards', () => {
  expect(changeScorerRefs(['a', 'b'], { from: 'a', to: 'b' })?.refs).toEqual(['b'])
  expect(changeScorerRefs(['a', 'b'], { to: 'b' })?.refs).toEqual(['a', 'b'])
})
