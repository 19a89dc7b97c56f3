import { expect, test } from 'vitest'
import { parseScorerRef } from './scorer-ref'

test('a scorer reference is parsed into its parts, or the reason why it is invalid', () => {
  expect(parseScorerRef('weave:///acme/support/scorer/Tone:latest')).toMatchObject({ name: 'Tone', version: 'latest' })
  expect(parseScorerRef('weave:///acme/support/scorer/Tone')).toMatch(/^No ':<version>' after the name/)
})

test.each([
  [
    'weave:///acme/support/scorer/Helpfulness:v3',
    { scheme: 'weave', entity: 'acme', project: 'support', kind: 'scorer', name: 'Helpfulness', version: 'v3' },
  ],
  ['weave:///a/b/object/n:latest', { kind: 'object', version: 'latest' }],
  ['weave:///a/b/scorer/na%20me:9f8e7d', { name: 'na%20me', version: '9f8e7d' }],
  ['wandb-artifact+x.1:///ü/プロジェクト/scorer/n_.-:1', { scheme: 'wandb-artifact+x.1', entity: 'ü', project: 'プロジェクト' }],
  [`weave:///a/b/scorer/${'n'.repeat(128)}:${'1'.repeat(64)}`, { kind: 'scorer' }],
])('%s is parsed into its parts', (text, parts) => {
  expect(parseScorerRef(text)).toMatchObject(parts)
})

test.each([
  ['', /begin with weave:/],
  ['Helpfulness', /begin with weave:/],
  ['weave://acme/support/scorer/Helpfulness:v3', /begin with weave:/],
  ['3weave:///a/b/scorer/n:1', /scheme/],
  [':///a/b/scorer/n:1', /scheme/],
  ['weave:///a/scorer/n:1', /3 parts/],
  ['weave:///a/b/c/scorer/n:1', /5 parts/],
  ['weave:////b/scorer/n:1', /entity/],
  ['weave:///a//scorer/n:1', /project/],
  ['weave:///a b/p/scorer/n:1', /entity/],
  ['weave:///a/b/op/n:1', /kind/],
  ['weave:///a/b/Scorer/n:1', /kind/],
  ['weave:///a/b/scorer/n', /version/],
  ['weave:///a/b/scorer/n:', /version/],
  ['weave:///a/b/scorer/n:v1:2', /version/],
  ['weave:///a/b/scorer/n:*', /version/],
  ['weave:///a/b/scorer/:1', /name/],
  ['weave:///a/b/scorer/na me:1', /name/],
  ['weave:///a/b/scorer/na%2:1', /name/],
  [`weave:///a/b/scorer/${'n'.repeat(129)}:1`, /name/],
  [`weave:///a/b/scorer/n:${'1'.repeat(65)}`, /version/],
  ['weave:///a/b/scorer/n:1\n', /version/],
  [' weave:///a/b/scorer/n:1', /scheme/],
])('%j is rejected with the reason and the expected form', (text, reason) => {
  const parsed = parseScorerRef(text)
  expect(parsed).toMatch(reason)
  expect(parsed).toContain('weave:///<entity>/<project>/object/<name>:<version>')
})
