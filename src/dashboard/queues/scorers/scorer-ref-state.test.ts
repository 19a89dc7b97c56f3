import { expect, test } from 'vitest'
import { decodeScorerName } from '../../../contract/scorer-ref'
import { formatStateCounts, isBad, toScorerRefStates } from './scorer-ref-state'

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

test('a second version of a scorer is a duplicate: reviewers are asked once', () => {
  expect(states(own, 'weave:///acme/support/object/Tone:v2', foreign).map(({ state }) => state)).toEqual([
    'ok',
    'duplicate',
    'other project',
  ])
})

const stored = { object_id: 'Tone', digest: 'abc', version_index: 0, created_at: null, wb_user_id: null, val: null }

test('a reference that leads to nothing, or to what nobody can answer, says so once the versions are known', () => {
  const find = (base_object_class: string | null, text = own, isComplete = true) =>
    toScorerRefStates([{ text }], 'acme/support', [{ ...stored, base_object_class }], isComplete)[0]
  const v0 = 'weave:///acme/support/object/Tone:v0'
  expect(find('AnnotationSpec', v0)).toMatchObject({ state: 'ok', version: { digest: 'abc' } })
  expect(find('AnnotationSpec', 'weave:///acme/support/scorer/Tone:latest')).toMatchObject({
    state: 'ok',
    version: { digest: 'abc' },
  })
  expect(find('Scorer', v0)).toMatchObject({ state: 'no answers', reason: expect.stringContaining('its class is Scorer') })
  expect(find('AnnotationSpec')?.state).toBe('not found')
  expect(find('AnnotationSpec', own, false)?.state).toBe('ok')
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
