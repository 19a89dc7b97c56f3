import { afterEach, expect, test, vi } from 'vitest'
import { answerOtherTabs, askOtherTabs } from './password-handover'

const tabs: { close: () => void }[] = []
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close()
})

function openTab(passwords: Record<string, string>, onForget: (connectionId: string) => void = () => undefined) {
  const tab = answerOtherTabs({ passwordOf: (id) => passwords[id], onForget })
  tabs.push(tab)
  return tab
}

test('a new tab gets the password of its connection from an open tab', async () => {
  openTab({ other: 'x' })
  openTab({ one: 'secret', other: 'x' })
  expect(await askOtherTabs('one')).toBe('secret')
})

test('without a tab that has it there is no password', async () => {
  openTab({ other: 'x' })
  expect(await askOtherTabs('one')).toBeUndefined()
})

test('signing out in one tab reaches the others', async () => {
  const onForget = vi.fn<(connectionId: string) => void>()
  openTab({}, onForget)
  openTab({}).forget('one')
  await vi.waitFor(() => expect(onForget).toHaveBeenCalledExactlyOnceWith('one'))
})
