import { expect, test } from 'vitest'
import { inOrder } from './in-order'

type Item = { bytes: number; name: string }

/** Items whose work ends when told to, and what is under way. */
function workshop(items: readonly Item[]) {
  const underWay = new Map<string, { end: () => void; fail: (error: Error) => void }>()
  async function* given() {
    yield* items
  }
  const work = (item: Item) =>
    new Promise<string>((resolve, reject) => {
      underWay.set(item.name, { end: () => resolve(item.name), fail: reject })
    })
  return { given: given(), work, underWay }
}

const items = ['a', 'b', 'c', 'd'].map((name) => ({ name, bytes: 10 }))

test('results keep the order of the items, whichever is done first', async () => {
  const { given, work, underWay } = workshop(items)
  const results = inOrder(given, { items: 2, bytes: 1000 }, work)
  const first = results.next()
  await expect.poll(() => [...underWay.keys()]).toEqual(['a', 'b'])
  underWay.get('b')?.end()
  underWay.get('a')?.end()
  expect(await first).toEqual({ done: false, value: 'a' })
  const rest = (async () => [await results.next(), await results.next(), await results.next(), await results.next()])()
  await expect.poll(() => underWay.has('d')).toBe(true)
  underWay.get('d')?.end()
  underWay.get('c')?.end()
  expect((await rest).map(({ value }) => value)).toEqual(['b', 'c', 'd', undefined])
})

test('large items wait for those before them', async () => {
  const { given, work, underWay } = workshop(items)
  const first = inOrder(given, { items: 4, bytes: 25 }, work).next()
  await expect.poll(() => [...underWay.keys()]).toEqual(['a', 'b'])
  underWay.get('a')?.end()
  await first
  expect([...underWay.keys()]).toEqual(['a', 'b'])
})

test('a failure comes at its turn, after the results before it', async () => {
  const { given, work, underWay } = workshop(items)
  const results = inOrder(given, { items: 3, bytes: 1000 }, work)
  const first = results.next()
  await expect.poll(() => underWay.size).toBe(3)
  underWay.get('b')?.fail(new Error('broken'))
  underWay.get('a')?.end()
  expect((await first).value).toBe('a')
  await expect(results.next()).rejects.toThrow('broken')
  expect((await results.next()).done).toBe(true)
})
