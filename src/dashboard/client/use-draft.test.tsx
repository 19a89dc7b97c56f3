// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { click, connection, findButton, render } from '../../testing/render'
import { ConnectionProvider } from './connection-context'
import { useDraft } from './use-draft'

afterEach(() => {
  document.body.innerHTML = ''
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const Values = z.object({ first: z.exactOptional(z.string()), second: z.exactOptional(z.string()) })

function Form({ name = 'form' }: { name?: string }) {
  const [values, change, forget] = useDraft(Values, name, {})
  return (
    <>
      <p>{`${values.first ?? 'nothing'} ${values.second ?? 'nothing'}`}</p>
      <button onClick={() => change({ second: 'b' })}>Second</button>
      <button onClick={() => change({ first: 'a' })}>First</button>
      <button onClick={() => forget(values)}>Sent</button>
      <button onClick={() => forget({ first: 'before' })}>Sent before</button>
    </>
  )
}

async function open(element = <Form />) {
  const { host, unmount } = await render(element)
  return {
    unmount,
    press: (name: string) => click(findButton(host, name)),
    shown: () => host.querySelector('p')?.textContent,
  }
}

test('a draft is there again, but not for another user, project or form', async () => {
  const form = await open()
  await form.press('First')
  await form.unmount()
  expect((await open()).shown()).toBe('a nothing')
  expect((await open(<Form name="other" />)).shown()).toBe('nothing nothing')
  for (const other of [{ username: 'bob' }, { projectId: 'acme/sales' }]) {
    const as = { ...connection, ...other }
    const opened = await open(
      <ConnectionProvider connection={as}>
        <Form />
      </ConnectionProvider>,
    )
    expect(opened.shown()).toBe('nothing nothing')
  }
})

test('what was sent is forgotten in whatever order it was typed, and what was typed since is not', async () => {
  const form = await open()
  await form.press('Second')
  await form.press('First')
  await form.press('Sent before')
  expect((await open()).shown()).toBe('a b')
  await form.press('Sent')
  expect((await open()).shown()).toBe('nothing nothing')
})
