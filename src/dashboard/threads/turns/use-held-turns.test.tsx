// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { render } from '../../../testing/render'
import type { ThreadTurn } from './thread-turn'
import { testTurn } from './testing/test-turn'
import { useHeldTurns } from './use-held-turns'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const turn = (id: string, durationMs: number | null = 1): ThreadTurn =>
  testTurn(id, { duration_ms: durationMs, status: 'success' })

type Props = { latest: readonly ThreadTurn[]; isHolding?: boolean; openId?: string }

function Held({ latest, isHolding = true, openId = '' }: Props) {
  const { turns, waitingCount, showWaiting } = useHeldTurns(latest, { isHolding, openId })
  return (
    <button type="button" onClick={showWaiting}>
      {turns.map(({ id, durationMs }) => `${id} ${durationMs}`).join(', ')} and {waitingCount}
    </button>
  )
}

test('new turns wait, also those between others; turns on screen change in place', async () => {
  const { host, rerender } = await render(<Held latest={[turn('a'), turn('c', null)]} />)
  expect(host.textContent).toBe('a 1, c null and 0')
  const latest = [turn('a'), turn('b'), turn('c', 7), turn('d')]
  await rerender(<Held latest={latest} />)
  expect(host.textContent).toBe('a 1, c 7 and 2')
  await act(async () => host.querySelector('button')?.click())
  expect(host.textContent).toBe('a 1, b 1, c 7, d 1 and 0')
})

test('a turn that the address opens does not wait, and nothing is held while nothing is followed', async () => {
  const { host, rerender } = await render(<Held latest={[turn('a')]} />)
  await rerender(<Held latest={[turn('a'), turn('b'), turn('c')]} openId="b" />)
  expect(host.textContent).toBe('a 1, b 1 and 1')
  await rerender(<Held latest={[turn('a'), turn('b'), turn('c')]} isHolding={false} />)
  expect(host.textContent).toBe('a 1, b 1, c 1 and 0')
  const empty = await render(<Held latest={[]} />)
  await empty.rerender(<Held latest={[turn('a')]} />)
  expect(empty.host.textContent).toBe('a 1 and 0')
})
