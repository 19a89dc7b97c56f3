import { expect, test } from 'vitest'
import { TimeSlices } from '../lib/time-slices'
import { WrittenRows } from './written-rows'

type Row = { id: string; text: string; version: number }

function createRows(limits = { minRows: 2, maxRows: 5 }) {
  const written = new WrittenRows<Row>((row) => ({ ...row, version: '' }), limits)
  /** Which ids have to be written. */
  return async (trace: string, texts: Record<string, string>, { version = 1, isWritten = true } = {}) => {
    const changed = written.begin()
    await changed.add(
      trace,
      Object.entries(texts).map(([id, text]) => ({ id, text, version })),
      new TimeSlices(),
    )
    if (isWritten) changed.keep()
    return changed.rows.map(({ id }) => id)
  }
}

test('of a long trace only rows with another content are written again', async () => {
  const write = createRows()
  expect(await write('t', { a: '1', b: '1' })).toEqual(['a', 'b'])
  expect(await write('t', { a: '1', b: '2', c: '1' }, { version: 2 })).toEqual(['b', 'c'])
  expect(await write('t', { a: '1', b: '2', c: '1' }, { version: 3 })).toEqual([])
  expect(await write('u', { a: '1', b: '2' })).toEqual(['a', 'b'])
})

test('a row that goes back to an earlier content is written, and one that comes back to the trace', async () => {
  const write = createRows()
  await write('t', { a: '1', b: '1', c: '1' })
  expect(await write('t', { a: '1', b: '2' })).toEqual(['b'])
  expect(await write('t', { a: '1', b: '1', c: '1' })).toEqual(['b', 'c'])
})

test('after a write that did not end, all rows are written', async () => {
  const write = createRows()
  await write('t', { a: '1', b: '1' })
  await write('t', { a: '2', b: '1' }, { isWritten: false })
  expect(await write('t', { a: '1', b: '1' })).toEqual(['a', 'b'])
})

test('short traces are written whole, and so is one that became short', async () => {
  const write = createRows()
  await write('t', { a: '1' })
  expect(await write('t', { a: '1' })).toEqual(['a'])
  await write('t', { a: '1', b: '1' })
  await write('t', { a: '1' })
  expect(await write('t', { a: '1', b: '1' })).toEqual(['a', 'b'])
})

test('the trace that was written first is forgotten where they have too many rows together', async () => {
  const write = createRows()
  await write('t', { a: '1', b: '1' })
  await write('u', { a: '1', b: '1' })
  await write('t', { a: '1', b: '1' })
  await write('v', { a: '1', b: '1' })
  expect(await write('t', { a: '1', b: '1' })).toEqual([])
  expect(await write('u', { a: '1', b: '1' })).toEqual(['a', 'b'])
})

test('a trace with more rows than are remembered is written whole', async () => {
  const write = createRows()
  const texts = { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' }
  await write('t', texts)
  expect(await write('t', texts)).toEqual(Object.keys(texts))
})
