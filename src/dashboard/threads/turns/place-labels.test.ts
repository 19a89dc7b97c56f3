import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Label, placeLabels } from './place-labels'

const at = (x: number, name: string): Label => ({ x, names: [name] })

test('labels stand above what they name; near ones stand together, in its order, and each once', () => {
  expect(placeLabels([at(50, 'p50'), at(200, 'p99')], 280)).toEqual([at(50, 'p50'), at(200, 'p99')])
  expect(placeLabels([at(50, 'p50'), at(60, 'p50'), at(200, 'p99')], 280)).toEqual([at(55, 'p50'), at(200, 'p99')])
  expect(placeLabels([at(60, 'p50'), at(50, 'p99')], 280)).toEqual([{ x: 55, names: ['p99', 'p50'] }])
  expect(placeLabels([at(100, 'p50'), at(120, 'p50'), at(110, 'p99')], 280)).toEqual([{ x: 112.5, names: ['p50', 'p99', 'p50'] }])
  expect(placeLabels([at(1, 'p50'), at(279, 'p99')], 280)).toEqual([at(14, 'p50'), at(266, 'p99')])
})

test('labels never touch, and none lies beyond an end', () => {
  const width = 280
  const label = fc.record({ x: fc.double({ min: 0, max: width, noNaN: true }), name: fc.constantFrom('p50', 'p99') })
  const property = fc.property(fc.array(label, { maxLength: 4 }), (labels) => {
    const placed = placeLabels(
      labels.map(({ x, name }) => at(x, name)),
      width,
    )
    let end = 0
    for (const { x, names } of placed) {
      const half = names.length * 14
      expect(x - half).toBeGreaterThanOrEqual(end - 1e-9)
      end = x + half
    }
    expect(end).toBeLessThanOrEqual(width + 1e-9)
  })
  fc.assert(property, { seed: 20261126, numRuns: 500 })
})
