// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { render, stubService } from '../../../testing/render'
import { ThreadAround } from './ThreadAround'

afterEach(() => vi.unstubAllGlobals())

test('the link to the thread opens the same project in another browser', async () => {
  stubService({})
  const { host, unmount } = await render(
    <Router hrefs={(href) => `${href}&project=acme/support`}>
      <ThreadAround threadId="chat-7" turnId="t" callId="c" />
    </Router>,
  )
  expect(host.querySelector('a')?.getAttribute('href')).toBe('/threads/chat-7?turn=t&call=c&project=acme/support')
  await unmount()
})
