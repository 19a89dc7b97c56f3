import { expect, test } from 'vitest'
import { findByName, findFailed, findFirst, findNext, findSlowest } from './find-calls'
import { treeCall, treeOf } from './testing/tree-call'

const { nodes } = treeOf(
  treeCall('turn', null, 0, 9, { self_ms: 1 }),
  treeCall('Search (web)', 'turn', 1, 2, { self_ms: 4, status: 'error' }),
  treeCall('search.cache', 'turn', 2, 3, { self_ms: 4 }),
  treeCall('ÜBER', 'turn', 3, null, { status: 'error' }),
)
const names = (found: readonly ({ call: { id: string } } | undefined)[]) => found.map((node) => node?.call.id)

test('calls are found by a part of their name, in any case and literally', () => {
  expect(names(findByName(nodes, ' search'))).toEqual(['Search (web)', 'search.cache'])
  expect(names(findByName(nodes, '(WEB)'))).toEqual(['Search (web)'])
  expect(names(findByName(nodes, 'h.c'))).toEqual(['search.cache'])
  expect(names(findByName(nodes, 'über'))).toEqual(['ÜBER'])
  expect(findByName(nodes, ' ')).toEqual([])
  expect(
    names([findFirst(nodes, 'search', 2), findFirst(nodes, 'web', 2), findFirst(nodes, 'x', 0), findFirst(nodes, '', 0)]),
  ).toEqual(['search.cache', 'Search (web)', undefined, undefined])
})

test('the next and the previous one are found around the ends', () => {
  const failed = findFailed(nodes)
  expect(names([findNext(failed, 0, 1), findNext(failed, 1, 1), findNext(failed, 3, 1)])).toEqual([
    'Search (web)',
    'ÜBER',
    'Search (web)',
  ])
  expect(names([findNext(failed, 3, -1), findNext(failed, 1, -1), findNext([], 0, 1)])).toEqual([
    'Search (web)',
    'ÜBER',
    undefined,
  ])
})

test('the call with the most self time is the first of several', () => {
  expect(names([findSlowest(nodes), findSlowest([])])).toEqual(['Search (web)', undefined])
})
