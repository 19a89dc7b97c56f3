import { expect, test, vi } from 'vitest'
import { otherTabs } from './other-tabs'

test('a tab knows what the others show, those that came before it too, and forgets what they leave', async () => {
  const [one, two, other] = [otherTabs('ann'), otherTabs('ann'), otherTabs('bob')]
  const leave = [one.join(), other.join()]
  one.tell(['1'])
  leave.push(two.join())
  await vi.waitFor(() => expect(two.show('1')).toBe(true))
  expect(one.show('1')).toBe(false)
  two.tell(['1', '2'])
  await vi.waitFor(() => expect([one.show('1'), one.show('2')]).toEqual([true, true]))
  two.tell([])
  await vi.waitFor(() => expect(one.show('1')).toBe(false))
  expect(other.show('1')).toBe(false)
  for (const each of leave) each()
})
