import { expect, test } from 'vitest'
import { decodeScorerName, formatStateCounts, isBad, toScorerRefStates } from './scorer-ref-state'

const own = 'weave:///acme/support/scorer/Tone:v1'
const foreign = 'weave:///other/team/object/Tone:v1'

const states = (...texts: string[]) =>
  toScorerRefStates(
    texts.map((text) => ({ text })),
    'acme/support',
  )

test('a reference is ok, a duplicate, of another project, or malformed', () => {
  expect(states(own, own, foreign, 'nonsense').map(({ state }) => state)).toEqual([
    'ok',
    'duplicate',
    'other project',
    'malformed',
  ])
})

test('only malformed and rejected references are bad', () => {
  expect(
    states(own, own, foreign, 'nonsense')
      .filter(isBad)
      .map(({ text }) => text),
  ).toEqual(['nonsense'])
})

test('a reference that the server rejected shows the reason of the server', () => {
  expect(toScorerRefStates([{ text: own, serverError: 'No such scorer.' }], 'acme/support')[0]).toMatchObject({
    state: 'rejected',
    reason: 'No such scorer.',
  })
})

test('a reason does not repeat the expected form', () => {
  expect(states('weave:///acme/support/scorer/Tone')[0]?.reason).toBe("No ':<version>' after the name.")
})

test('the counts name every state that occurs', () => {
  expect(formatStateCounts(states(own, own, foreign, 'x', 'y'))).toBe('1 ok, 1 duplicate, 1 of another project, 2 malformed')
  expect(formatStateCounts([])).toBe('')
})

test.each([
  ['Policy%20check', 'Policy check'],
  ['100%', '100%'],
  ['a%E2%80%AEb', 'a\u202Eb'],
])('the name %s is read as %j', (name, shown) => {
  expect(decodeScorerName(name)).toBe(shown)
})
