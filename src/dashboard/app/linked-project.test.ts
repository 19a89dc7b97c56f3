// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { linkTo, takeLinkedProject } from './linked-project'

test('a link names the project and carries nothing that is only for this tab', () => {
  expect(linkTo('https://spool.example/threads?sort=-turn_count#code=x', 'acme/support')).toBe(
    'https://spool.example/threads?sort=-turn_count&project=acme%2Fsupport',
  )
})

test('followed, the project leaves the address and the rest stays', () => {
  history.replaceState({}, '', '/threads?sort=x&project=acme%2Fsupport')
  expect(takeLinkedProject()).toBe('acme/support')
  expect(location.pathname + location.search).toBe('/threads?sort=x')
  expect(takeLinkedProject()).toBeUndefined()
})

test('what is no project is dropped', () => {
  history.replaceState({}, '', '/costs?project=nonsense')
  expect(takeLinkedProject()).toBeUndefined()
  expect(location.search).toBe('')
})
