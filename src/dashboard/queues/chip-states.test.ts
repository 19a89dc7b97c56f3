import { expect, test } from 'vitest'
import { chipStates, decodedName, isBad, summaryOf } from './chip-states'

const own = 'weave:///acme/support/scorer/Tone:v1'
const foreign = 'weave:///other/team/object/Tone:v1'

const statesOf = (refs: string[], refusals = new Map<string, string>()) =>
  chipStates(refs, 'acme/support', refusals).map(({ state }) => state)

test('tells a good reference, its duplicate, another project’s and a malformed one apart', () => {
  expect(statesOf([own, own, foreign, 'nonsense'])).toEqual(['ok', 'duplicate', 'other project', 'malformed'])
})

test('only malformed and refused ones keep the queue from being made', () => {
  const chips = chipStates([own, own, foreign, 'nonsense'], 'acme/support', new Map())
  expect(chips.filter(isBad).map(({ text }) => text)).toEqual(['nonsense'])
})

test('shows what the server has against a reference until its text changes', () => {
  const refusals = new Map([[own, 'No such scorer.']])
  expect(chipStates([own], 'acme/support', refusals)[0]).toMatchObject({ state: 'refused', reason: 'No such scorer.' })
  expect(statesOf([`${own}2`], refusals)).toEqual(['ok'])
})

test('says what is wrong, without the form that is shown once for all', () => {
  const [chip] = chipStates(['weave:///acme/support/scorer/Tone'], 'acme/support', new Map())
  expect(chip?.reason).toBe("No ':<version>' after the name.")
})

test('sums up', () => {
  expect(summaryOf(chipStates([own, own, foreign, 'x', 'y'], 'acme/support', new Map()))).toBe(
    '1 ok, 1 duplicate, 1 of another project, 2 malformed',
  )
  expect(summaryOf([])).toBe('')
})

test.each([
  ['Policy%20check', 'Policy check'],
  ['100%', '100%'],
])('writes the name %s as %s', (name, shown) => {
  expect(decodedName(name)).toBe(shown)
})
