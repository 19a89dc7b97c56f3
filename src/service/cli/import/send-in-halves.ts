import { add, type Outcome } from './outcome'

/**
 * Sends items, and where the answer does not tell which of them it is about (undefined), each half again, down to one by
 * one. Only for what may arrive twice.
 */
export async function sendInHalves<Item>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const outcome = await send(items)
  if (outcome) return outcome
  if (items.length < 2) throw new Error('An answer to one item was not told')
  const middle = items.length >> 1
  return add(await sendInHalves(items.slice(0, middle), send), await sendInHalves(items.slice(middle), send))
}
