type Limits = { items: number; bytes: number }

/**
 * Works on several items at a time and hands the results on in the order of the items. No more than `most.items` are
 * under way, and no more than `most.bytes`, unless one alone is larger. The first failure ends it.
 */
export async function* inOrder<Item extends { bytes: number }, Result>(
  items: AsyncIterable<Item>,
  most: Limits,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: { result: Promise<Result>; bytes: number }[] = []
  let bytesUnderWay = 0
  const oldest = async () => {
    const first = underWay.shift()
    if (!first) throw new Error('Nothing is under way')
    const result = await first.result
    bytesUnderWay -= first.bytes
    return result
  }
  for await (const item of items) {
    while (underWay.length > 0 && (underWay.length >= most.items || bytesUnderWay + item.bytes > most.bytes)) yield await oldest()
    const { bytes } = item
    const result = work(item)
    result.catch(() => undefined) // told when its turn comes; until then it is not a failure nobody waits for
    underWay.push({ result, bytes })
    bytesUnderWay += bytes
  }
  while (underWay.length > 0) yield await oldest()
}
