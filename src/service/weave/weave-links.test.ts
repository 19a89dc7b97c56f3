import { expect, test } from 'vitest'
import { isWeaveLink, weaveLinks } from './weave-links'

async function follow(link: string): Promise<string | null> {
  const response = await weaveLinks().request(link)
  expect(response.status).toBe(302)
  return response.headers.get('location')
}

test.each([
  ['/acme/support/weave', '/threads?project=acme%2Fsupport'],
  ['/acme/support/weave/objects/letters/versions/VhXCIhX6l1S2iY8', '/threads?project=acme%2Fsupport'],
  [
    '/acme/support/r/call/01a2012c-d271-7747-9911-b535129539ee',
    '/calls/01a2012c-d271-7747-9911-b535129539ee?project=acme%2Fsupport',
  ],
  ['/acme/support/r/call/01a2012c/', '/calls/01a2012c?project=acme%2Fsupport'],
  ['/acme/sup%20port%26x/r/call/a%2Fb%3Fproject=x', '/calls/a%2Fb%3Fproject%3Dx?project=acme%2Fsup+port%26x'],
])('%s, as Weave’s clients print it, leads to %s', async (link, target) => {
  expect(await follow(link)).toBe(target)
})

test('links are told from pages of the dashboard', () => {
  const links = ['/acme/support/weave', '/acme/support/weave/ops/x', '/acme/support/r/call/01a2012c']
  expect(links.filter((path) => !isWeaveLink(path))).toEqual([])
  const pages = ['/', '/threads', '/calls/01a2012c', '/acme/support', '/acme/support/r/call', '/acme/support/r/call/a/b']
  expect(pages.filter(isWeaveLink)).toEqual([])
})

test('no part of a link leads to another site', async () => {
  expect((await weaveLinks().request('//evil.example%2F..%2F/weave')).status).toBe(404)
  expect(await follow('/https:%2F%2Fevil.example/p/weave')).toBe('/threads?project=https%3A%2F%2Fevil.example%2Fp')
  expect(await follow('/acme/support/r/call/%2F%2Fevil.example')).toBe('/calls/%2F%2Fevil.example?project=acme%2Fsupport')
})
