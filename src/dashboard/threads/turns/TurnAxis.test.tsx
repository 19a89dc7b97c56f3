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

test('a pause is named where its words fit between two turns, with air on both sides', async () => {
  const turns = [
    testTurn('a', { ended_at: '2026-01-01T00:00:10Z', duration_ms: 10_000, status: 'success' }),
    testTurn('b', {
      started_at: '2026-01-01T11:03:10Z',
      ended_at: '2026-01-01T11:03:20Z',
      duration_ms: 10_000,
      status: 'success',
    }),
  ]
  const axis = buildThreadAxis(turns.map(({ startMs, endMs }) => ({ startMs: startMs ?? 0, endMs })))!
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get')
  const listTexts = async (px: number) => {
    width.mockReturnValue(px)
    const axisAt = <TurnAxis turns={turns} axis={axis} marks={[]} openIndex={-1} zone="utc" onOpen={() => undefined} />
    const { host, unmount } = await render(axisAt)
    const texts = [...host.querySelectorAll('text')].map(({ textContent }) => textContent)
    await unmount()
    return texts
  }
  // Half of the axis belongs to the pause.
  expect(await listTexts(200)).toEqual(['11 h 03 min'])
  // 70 px: the words fit, the air does not.
  expect(await listTexts(140)).toEqual([])
  width.mockRestore()
})
