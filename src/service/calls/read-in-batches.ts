import { isTooLarge } from '../store/store-error'

const initialCount = 128
/** So many keys are in one statement, which is parsed as a whole before it reads anything. */
const maxCount = 2500
const targetCharacters = 8 * 1024 * 1024

/**
 * Reads items by key in batches of about eight million characters, whatever the size of an item: the sizes in one batch
 * decide how many keys the next has. A batch that is too large for the engine is halved; one item alone is read whatever
 * its size.
 */
export async function* readInBatches<Item>(
  keys: AsyncIterable<readonly string[]>,
  read: (keys: readonly string[]) => Promise<Item[]>,
  sizeOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  let count = initialCount
  const pending: string[] = []
  const readBatch = async () => {
    for (;;) {
      const batch = pending.slice(0, count)
      try {
        const items = await read(batch)
        pending.splice(0, batch.length)
        const characters = items.reduce((sum, item) => sum + sizeOf(item), 0)
        const fittingCount = Math.floor((batch.length * targetCharacters) / Math.max(characters, 1))
        count = Math.max(1, Math.min(fittingCount, 4 * count, maxCount))
        return items
      } catch (error) {
        if (!isTooLarge(error) || batch.length === 1) throw error
        count = batch.length >> 1
      }
    }
  }
  for await (const more of keys) {
    // A spread into a call takes no more than about 100,000 values.
    for (const key of more) pending.push(key)
    while (pending.length >= count) yield await readBatch()
  }
  while (pending.length > 0) yield await readBatch()
}
