import { expect, test } from 'vitest'
import { weaveLinks } from './weave-links'

test.each([
  '/acme/support/weave',
  '/acme/support/weave/objects/letters/versions/VhXCIhX6l1S2iY8',
  '/acme/support/r/call/01a2012c-d271-7747-9911-b535129539ee',
])('%s, as Weave’s clients print it, leads to the threads of the project', async (link) => {
  const response = await weaveLinks().request(link)
  expect([response.status, response.headers.get('location')]).toEqual([302, '/threads?project=acme%2Fsupport'])
})

test('the name of a project cannot lead to another site', async () => {
  const response = await weaveLinks().request('//evil.example%2F..%2F/weave')
  expect(response.status).toBe(404)
  const encoded = await weaveLinks().request('/https:%2F%2Fevil.example/p/weave')
  expect(encoded.headers.get('location')).toBe('/threads?project=https%3A%2F%2Fevil.example%2Fp')
})
