import { expect, test } from 'vitest'
import { ValidationError } from './api-error'
import { readWholeList, type WantedPage } from './read-whole-list'

const request = { method: 'POST', path: '/threads/stream_query' }
const rows = Array.from({ length: 130 }, (_, id) => ({ id }))

/** Reads the 130 rows from a service with these habits. */
async function readFrom(
  { cap = Infinity, ignores = '', maxLimit = Infinity, refusesQuery = false },
  { pageSize = 1000, maxRows = 20_000, canSimplify = false } = {},
) {
  const asked: string[] = []
  const readPage = async ({ limit = Infinity, offset, isSimple }: WantedPage) => {
    asked.push(`${limit}@${offset}${isSimple ? ' simple' : ''}`)
    if (limit > maxLimit && limit !== Infinity) throw new ValidationError(request, { problems: [], text: 'limit' })
    if (refusesQuery && !isSimple) throw new ValidationError(request, { problems: [], text: 'query' })
    const start = ignores.includes('offset') ? 0 : offset
    const count = Math.min(cap, ignores.includes('limit') ? Infinity : limit)
    return { rows: rows.slice(start, start + count), brokenLines: [] }
  }
  const read: { id: number }[] = []
  let isLast = false
  for await (const part of readWholeList({ readPage, pageSize, maxRows, canSimplify })) {
    read.push(...part.rows)
    isLast = part.isLast
  }
  return { count: read.length, isLast, isExact: JSON.stringify(read) === JSON.stringify(rows), asked }
}

test('a service that honours pages is read until an empty one', async () => {
  expect(await readFrom({}, { pageSize: 100 })).toEqual({
    count: 130,
    isLast: true,
    isExact: true,
    asked: ['100@0', '100@100', '100@130'],
  })
})

test.each([
  ['sends at most 50 rows', { cap: 50 }, ['1000@0', '1000@50', '1000@100', '1000@130']],
  ['ignores the limit', { ignores: 'limit' }, ['1000@0', '1000@130']],
  ['ignores the offset', { ignores: 'offset' }, ['1000@0', '1000@130']],
  ['ignores both', { ignores: 'limit offset' }, ['1000@0', '1000@130']],
  ['refuses limits above 100', { maxLimit: 100 }, ['1000@0', '100@0', '100@100', '100@130']],
])('a service that %s is read whole, each row once', async (_, habits, asked) => {
  expect(await readFrom(habits)).toEqual({ count: 130, isLast: true, isExact: true, asked })
})

test('where full pages repeat, the offset is ignored, and one request without a limit brings the rest', async () => {
  expect(await readFrom({ ignores: 'offset' }, { pageSize: 20 })).toEqual({
    count: 130,
    isLast: true,
    isExact: true,
    asked: ['20@0', '20@20', 'Infinity@0'],
  })
})

test('a query that is refused is left out before smaller pages are tried', async () => {
  const { asked, isExact } = await readFrom({ refusesQuery: true }, { canSimplify: true })
  expect({ asked, isExact }).toEqual({ asked: ['1000@0', '1000@0 simple', '1000@130 simple'], isExact: true })
})

test('a request that is refused in every form fails with the first reason', async () => {
  await expect(readFrom({ maxLimit: 0 })).rejects.toThrow('limit')
})

test('it stops at the maximum and does not claim the end', async () => {
  expect(await readFrom({}, { pageSize: 50, maxRows: 100 })).toMatchObject({ count: 100, isLast: false })
})
