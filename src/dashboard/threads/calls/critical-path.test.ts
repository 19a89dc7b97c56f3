import { array, integer, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { type CallNode, CallTree } from './call-tree'
import { findCriticalPath, groupCriticalPath, type PathSegment } from './critical-path'
import { runSteps } from './run-steps'
import { treeCall, treeOf } from './testing/tree-call'

const show = (path: readonly PathSegment[]) => path.map(({ node, startUs, endUs }) => [node.call.id, startUs, endUs])

test('from the end of a call the path goes to the child that ended last before it, and on from its start', () => {
  const tree = treeOf(
    treeCall('turn', null, 0, 100),
    treeCall('search', 'turn', 10, 40),
    treeCall('cache', 'turn', 10, 20),
    treeCall('model', 'turn', 50, 90),
    treeCall('wait', 'model', 60, 85),
    treeCall('log', 'turn', 95, 300),
  )
  expect(show(runSteps(findCriticalPath(tree.nodes[0]!)))).toEqual([
    ['turn', 0, 10],
    ['search', 10, 40],
    ['turn', 40, 50],
    ['model', 50, 60],
    ['wait', 60, 85],
    ['model', 85, 90],
    ['turn', 90, 100],
  ])
})

test('a turn that runs has no path, and what still runs in a finished one is not on it', () => {
  expect(runSteps(findCriticalPath(treeOf(treeCall('turn', null, 0, null)).nodes[0]!))).toEqual([])
  const tree = treeOf(treeCall('turn', null, 0, 9), treeCall('running', 'turn', 1, null))
  expect(show(runSteps(findCriticalPath(tree.nodes[0]!)))).toEqual([['turn', 0, 9]])
})

test('the times of a call on the path are together', () => {
  const tree = treeOf(treeCall('turn', null, 0, 10), treeCall('tool', 'turn', 2, 4))
  expect(runSteps(groupCriticalPath(tree.nodes[0]!)).get('turn')).toHaveLength(2)
})

test('the path of a chain of 100,000 calls is found', () => {
  const tree = new CallTree()
  tree.add(
    Array.from({ length: 100_000 }, (_, index) => treeCall(`c${index}`, index === 0 ? null : `c${index - 1}`, index, 200_000)),
  )
  expect(runSteps(findCriticalPath(tree.nodes[0]!))).toHaveLength(100_000)
})

/** The definition, read aloud. */
function definePath(node: CallNode, children: readonly CallNode[], from: number, until: number): PathSegment[] {
  const ended = children.filter(({ endUs }) => endUs !== null && endUs > from && endUs <= until)
  const isLater = (left: CallNode, right: CallNode) =>
    (left.endUs ?? 0) - (right.endUs ?? 0) || right.startUs - left.startUs || right.index - left.index
  const [last] = ended.toSorted((left, right) => isLater(right, left))
  if (!last) return [{ node, startUs: from, endUs: until }]
  const start = Math.max(last.startUs, from)
  const end = last.endUs ?? 0
  const others = children.filter((child) => child !== last)
  return [
    ...definePath(node, others, from, start),
    ...definePath(last, last.children, start, end),
    { node, startUs: end, endUs: until },
  ]
}

testProperty(
  'in any tree the path is that of the definition, and fills the turn from its start to its end without a gap',
  array(record({ parent: nat(20), startUs: integer({ min: 0, max: 30 }), length: integer({ min: -1, max: 20 }) }), {
    minLength: 1,
    maxLength: 14,
  }),
  { runs: 1000 },
  (shapes) => {
    const turn = treeCall('0', null, 5, 35)
    const childrenOf = (id: number): number[] =>
      shapes.flatMap(({ parent }, index) => (Math.min(parent, index) === id ? [index + 1] : []))
    const walk = (id: number): ReturnType<typeof treeCall>[] => {
      const shape = shapes[id - 1]
      const own = shape
        ? treeCall(
            String(id),
            String(Math.min(shape.parent, id - 1)),
            shape.startUs,
            shape.length < 0 ? null : shape.startUs + shape.length,
          )
        : turn
      return [own, ...childrenOf(id).flatMap(walk)]
    }
    const [top] = treeOf(...walk(0)).nodes
    if (!top) throw new Error('The tree has no turn.')
    const path = runSteps(findCriticalPath(top))
    expect(show(path)).toEqual(show(definePath(top, top.children, 5, 35).filter(({ startUs, endUs }) => endUs > startUs)))
    let at = 5
    for (const { startUs, endUs } of path) {
      expect(startUs).toBe(at)
      at = endUs
    }
    expect(at).toBe(35)
  },
)
