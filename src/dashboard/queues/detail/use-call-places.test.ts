import { expect, test } from 'vitest'
import { toCallHref } from './use-call-places'

test('a call is opened in its turn, a turn as itself, and a call without a thread nowhere', () => {
  expect(toCallHref({ id: 'c', thread_id: 'chat/7', turn_id: 't' })).toBe('/threads/chat%2F7?turn=t&call=c')
  expect(toCallHref({ id: 't', thread_id: 'chat', turn_id: 't' })).toBe('/threads/chat?turn=t')
  expect(toCallHref({ id: 't', thread_id: 'chat', turn_id: null })).toBe('/threads/chat?turn=t')
  expect(toCallHref({ id: 'c', thread_id: null })).toBeUndefined()
})
