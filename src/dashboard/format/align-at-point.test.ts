import { expect, test } from 'vitest'
import { alignAtPoint } from './align-at-point'

test.each([
  ['the longest tail needs no space', { text: '0.0517', pointIndex: 1 }, 5, '0ch'],
  ['a shorter one needs the digits that it lacks', { text: '12.50', pointIndex: 2 }, 5, '2ch'],
  ['without a point, which is narrower than a digit', { text: '12', pointIndex: 2 }, 3, '2.6ch'],
  ['a tail far longer than the others stands out', { text: '0.123456789', pointIndex: 1 }, 3, '0ch'],
])('%s', (_, figure, tailLength, paddingRight) => expect(alignAtPoint(figure, tailLength)).toEqual({ paddingRight }))
