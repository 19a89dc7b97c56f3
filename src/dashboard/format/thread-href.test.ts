import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { readIdOfPage, toCallHref, toCallPageHref, toThreadHref } from './thread-href'

test('a thread has an address of its own', () => {
  expect(toThreadHref('ticket-7')).toBe('/threads/ticket-7')
  expect(toThreadHref('chat/7?x#y', 'turn=a')).toBe('/threads/chat%2F7%3Fx%23y?turn=a')
})

test.each(['usage', 'shape', 'history'])('the id %j, which is the name of an operation, does not ask for it', (id) => {
  expect(toThreadHref(id)).toBe(`/threads/${id}/`)
  expect(readIdOfPage(`/threads/${id}/`)).toBe(id)
})

test('a call has an address that does not name its thread', () => {
  expect(toCallPageHref('a/threads/b')).toBe('/calls/a%2Fthreads%2Fb')
  expect(toCallPageHref('..')).toBeUndefined()
})

test.each(['', '.', '..', 'lone-\uD800'])('no address holds the id %j', (id) => {
  expect(toThreadHref(id)).toBeUndefined()
})

test('an address that somebody mistyped names no thread', () => {
  expect(readIdOfPage('/threads/100%')).toBeUndefined()
  expect(readIdOfPage('/threads/')).toBeUndefined()
})

testProperty(
  'the address leads back to the id, whatever characters it has',
  fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a/b', '100%25', '\u202Ex', 'a\u0000b', 'c:\\d', 'a//b', '?')),
  { runs: 500 },
  (id) => {
    const href = toThreadHref(id)
    if (href !== undefined) expect(readIdOfPage(new URL(href, 'http://localhost').pathname)).toBe(id)
  },
)

test('a call is shown in its thread, as the turn or below it', () => {
  expect(toCallHref({ id: 'c', thread_id: 'chat/7', turn_id: 't' })).toBe('/threads/chat%2F7?turn=t&call=c')
  expect(toCallHref({ id: 't', thread_id: 'chat', turn_id: 't' })).toBe('/threads/chat?turn=t')
  expect(toCallHref({ id: 't', thread_id: 'chat', turn_id: undefined })).toBe('/threads/chat?turn=t')
  expect(toCallHref({ id: 'c', thread_id: 'chat', turn_id: null })).toBeUndefined()
  expect(toCallHref({ id: 'c', thread_id: null })).toBeUndefined()
})
