import { isTooLarge } from '../store/store-error'

const firstCount = 128
const mostCount = 16_384
const wantedCharacters = 8 * 1024 * 1024

/**
 * Reads items by key in batches of about eight million characters, whatever their size: how many are asked for at once
 * follows from how large the last were. Where a batch turns out too large for the engine, it is halved.
 */
export async function* inFitting<Item>(
  keys: AsyncIterable<readonly string[]>,
  read: (keys: readonly string[]) => Promise<Item[]>,
  sizeOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  let count = firstCount
  let waiting: string[] = []
  const readSome = async () => {
    for (;;) {
      const some = waiting.slice(0, count)
      try {
        const items = await read(some)
        waiting = waiting.slice(some.length)
        const size = items.reduce((sum, item) => sum + sizeOf(item), 0)
        const fitting = Math.floor((some.length * wantedCharacters) / Math.max(size, 1))
        count = Math.max(1, Math.min(fitting, 4 * count, mostCount))
        return items
      } catch (error) {
        if (!isTooLarge(error) || some.length === 1) throw error
        count = some.length >> 1
      }
    }
  }
  for await (const more of keys) {
    waiting.push(...more)
    while (waiting.length >= count) yield await readSome()
  }
  while (waiting.length > 0) yield await readSome()
}
