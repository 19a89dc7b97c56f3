// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { render } from '../../../testing/render'
import { testTurn } from './testing/test-turn'
import { buildThreadAxis } from './thread-axis'
import { TurnAxis } from './TurnAxis'

afterEach(() => vi.unstubAllGlobals())

test('an open turn keeps the color of its kind, and has an outline', async () => {
  const turns = [
    testTurn('a', { ended_at: '2026-01-01T00:00:02Z', duration_ms: 2000, status: 'success' }),
    testTurn('b', { ended_at: '2026-01-01T00:00:01Z', duration_ms: 1000, status: 'error' }),
  ]
  const axis = buildThreadAxis(turns.map(({ startMs, endMs }) => ({ startMs: startMs ?? 0, endMs })))!
  const renderAxis = (openIndex: number) => (
    <TurnAxis turns={turns} axis={axis} marks={[]} openIndex={openIndex} zone="utc" onOpen={() => undefined} />
  )
  const { host, rerender, unmount } = await render(renderAxis(-1))
  const listDrawn = () => [...host.querySelectorAll('path[d$="Z"]')].map((path) => path.getAttribute('class'))
  expect(listDrawn()).toEqual(['turn-bars is-finished', 'turn-bars is-failed'])
  await rerender(renderAxis(1))
  expect(listDrawn()).toEqual(['turn-bars is-finished', 'turn-bars is-failed', 'turn-outline'])
  await unmount()
})
