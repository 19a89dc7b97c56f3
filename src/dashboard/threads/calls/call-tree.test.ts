import { expect, test } from 'vitest'
import { CallTree, findRow, listAncestors, listVisibleNodes } from './call-tree'
import { treeCall, treeOf } from './testing/tree-call'

const calls = [
  treeCall('turn', null, 0, 100),
  treeCall('agent', 'turn', 10, 90),
  treeCall('model', 'agent', 20, 40),
  treeCall('tool', 'agent', 50, 60),
  treeCall('last', 'turn', 91, 99),
]
const names = (nodes: readonly { call: { id: string } }[]) => nodes.map(({ call }) => call.id)

test('a tree grows call by call, and knows the level, the time and the end of each', () => {
  const tree = new CallTree()
  tree.add(calls.slice(0, 3))
  expect(tree.endOf(tree.nodes[1]!)).toBe(3)
  tree.add(calls.slice(3))
  expect(tree.nodes.map(({ level }) => level)).toEqual([0, 1, 2, 2, 1])
  expect(tree.nodes.map((node) => tree.endOf(node))).toEqual([5, 4, 3, 4, 5])
  expect([tree.firstUs, tree.lastUs, tree.maxLevel]).toEqual([0, 100, 2])
})

test('calls below a collapsed one are not visible, and its row stands for them', () => {
  const tree = treeOf(...calls)
  const visible = listVisibleNodes(tree, new Set(['agent']))
  expect(names(visible)).toEqual(['turn', 'agent', 'last'])
  expect(findRow(visible, tree.find('tool')!)).toBe(1)
  expect(findRow(visible, tree.find('last')!)).toBe(2)
  expect(names(listAncestors(tree.find('tool')!))).toEqual(['turn', 'agent'])
})

test('a call that comes twice counts once, and one whose parent is not above it stands at the top', () => {
  const tree = treeOf(
    ...calls,
    treeCall('model', 'turn', 0, 1),
    treeCall('orphan', 'nowhere', 1, 2),
    treeCall('late', 'tool', 1, 2),
  )
  expect(tree.nodes.slice(5).map(({ call, level }) => [call.id, level])).toEqual([
    ['orphan', 0],
    ['late', 0],
  ])
})

test('a call that starts before the call above it is told, and no call ends before it starts', () => {
  const tree = treeOf(treeCall('turn', null, 100, 200), treeCall('early', 'turn', 60, 50))
  expect(tree.earlyCount).toBe(1)
  expect(tree.find('early')).toMatchObject({ earlyUs: 40, startUs: 60, endUs: 60 })
  expect(tree.firstUs).toBe(60)
})

test('a chain of 100,000 calls is added and listed', () => {
  const tree = new CallTree()
  for (let index = 0; index < 100_000; index += 1000) {
    tree.add(Array.from({ length: 1000 }, (_, offset) => treeCall(`c${index + offset}`, `c${index + offset - 1}`, 0, 1)))
  }
  expect(listVisibleNodes(tree, new Set(['c5']))).toHaveLength(6)
  expect(tree.maxLevel).toBe(99_999)
})
