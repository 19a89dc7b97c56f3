import { expect, test } from 'vitest'
import { formatRefVersion } from './object-version'

const digest = 'RxzJ9QYaBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789'

test.each([
  ['a digest whose number is known', digest, { digest, version_index: 2 }, 'v2'],
  ['a digest whose number is not known', digest, undefined, 'RxzJ9QYa…'],
  ['a version of a service that does not number them', digest, { digest, version_index: null }, 'RxzJ9QYa…'],
  ['a number', 'v12', undefined, 'v12'],
  ['the latest version, which changes', 'latest', { digest, version_index: 2 }, 'latest (v2)'],
  ['the latest version, while nothing is known', 'latest', undefined, 'latest'],
])('%s', (_, text, version, expected) => {
  expect(formatRefVersion(text, version)).toBe(expected)
})
