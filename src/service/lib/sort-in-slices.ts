import { TimeSlices } from './time-slices'

/** Sorted at once: a few milliseconds. */
const runLength = 1000

/** What `toSorted` returns, for lists that would block the event loop. Items that are equal keep their order. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (left: Item, right: Item) => number,
  slices: TimeSlices = new TimeSlices(),
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    if (slices.isOver) await slices.next()
    runs.push(items.slice(start, start + runLength).toSorted(compare))
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, slices))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (left: Item, right: Item) => number,
  slices: TimeSlices,
): Promise<Item[]> {
  const merged: Item[] = []
  let [leftIndex, rightIndex] = [0, 0]
  while (leftIndex < left.length && rightIndex < right.length) {
    // Cheaper than asking for the time at each item.
    if (merged.length % runLength === 0 && slices.isOver) await slices.next()
    const [one, other] = [left[leftIndex] as Item, right[rightIndex] as Item] // both indexes are in range
    if (compare(one, other) <= 0) {
      merged.push(one)
      leftIndex += 1
    } else {
      merged.push(other)
      rightIndex += 1
    }
  }
  return merged.concat(left.slice(leftIndex), right.slice(rightIndex))
}
