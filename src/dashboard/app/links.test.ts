// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { buildShareLink, takeLinkedProjectId, takeSignInCode } from './links'

test('a share link names the project and leaves out the fragment', () => {
  expect(buildShareLink('https://spool.example/threads?sort=-turn_count#code=x', 'acme/support')).toBe(
    'https://spool.example/threads?sort=-turn_count&project=acme%2Fsupport',
  )
})

test('opening a share link takes the project out of the address and keeps the rest', () => {
  history.replaceState({}, '', '/threads?sort=x&project=acme%2Fsupport')
  expect(takeLinkedProjectId()).toBe('acme/support')
  expect(location.pathname + location.search).toBe('/threads?sort=x')
  expect(takeLinkedProjectId()).toBeUndefined()
})

test('an invalid project is removed and ignored', () => {
  history.replaceState({}, '', '/costs?project=nonsense')
  expect(takeLinkedProjectId()).toBeUndefined()
  expect(location.search).toBe('')
})

test('opening a sign-in link takes the code out of the address and keeps the rest', () => {
  history.replaceState({}, '', '/threads?limit=20#code=abc')
  expect(takeSignInCode()).toBe('abc')
  expect(location.pathname + location.search + location.hash).toBe('/threads?limit=20')
  expect(takeSignInCode()).toBeUndefined()
})
