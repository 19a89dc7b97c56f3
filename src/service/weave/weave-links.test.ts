import { afterAll, beforeAll, expect, test } from 'vitest'
import type { User } from '../http/user'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { weaveLinks } from './weave-links'

const userByToken = new Map<string, User>([
  ['kim', { username: 'kim', projects: ['acme/support'] }],
  ['lee', { username: 'lee', projects: ['acme/other'] }],
])

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  const start = { project_id: 'acme/support', started_at: '2026-01-31T09:30:00Z', inputs: {}, attributes: {} }
  await fixture.writer.write([
    { ...start, id: 'of-thread', thread_id: 'ticket 1042&row=x' },
    { ...start, id: 'without-thread' },
  ])
})
afterAll(() => fixture.close())

/** Where a link leads the user whose session has this token. */
async function follow(link: string, token?: string): Promise<string | null> {
  const links = weaveLinks({ store: fixture.store, sessions: { findUser: (each) => userByToken.get(each) } })
  const response = await links.request(link, { headers: token ? { cookie: `spool_session=${token}` } : {} })
  expect(response.status).toBe(302)
  return response.headers.get('location')
}

test('the link to a call, as Weave’s clients print it, leads to its thread', async () => {
  expect(await follow('/acme/support/r/call/of-thread', 'kim')).toBe('/threads?project=acme%2Fsupport&row=ticket+1042%26row%3Dx')
})

test('a link that is opened without a session asks once more, from a page of its own, whether there is such a call or not', async () => {
  const links = weaveLinks({ store: fixture.store, sessions: { findUser: (each) => userByToken.get(each) } })
  for (const id of ['of-thread', 'unknown']) {
    const response = await links.request(`/acme/support/r/call/${id}`)
    expect([response.status, response.headers.get('refresh'), await response.text()]).toEqual([200, '0; url=?again', ''])
  }
  expect(await follow('/acme/support/r/call/of-thread?again', 'kim')).toContain('&row=ticket+1042')
})

test.each([
  ['/acme/support/weave', 'kim'],
  ['/acme/support/weave/objects/letters/versions/VhXCIhX6l1S2iY8', 'kim'],
  ['/acme/support/r/call/without-thread', 'kim'],
  ['/acme/support/r/call/01a2012c-d271-7747-9911-b535129539ee', 'kim'],
  ['/acme/support/r/call/of-thread', 'lee'],
  ['/acme/support/r/call/of-thread?again', undefined],
])('%s leads %s to the threads of the project: there is no thread, or none that they may know of', async (link, token) => {
  expect(await follow(link, token)).toBe('/threads?project=acme%2Fsupport')
})

test('the name of a project cannot lead to another site', async () => {
  const links = weaveLinks({ store: fixture.store, sessions: { findUser: () => undefined } })
  expect((await links.request('//evil.example%2F..%2F/weave')).status).toBe(404)
  expect(await follow('/https:%2F%2Fevil.example/p/weave')).toBe('/threads?project=https%3A%2F%2Fevil.example%2Fp')
})
