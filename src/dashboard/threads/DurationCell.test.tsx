// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ReceivedThread } from '../../contract/received-threads'
import { render } from '../../testing/render'
import { FewTurns } from './DurationCell'
import { ThreadFigures } from './ThreadFigures'

afterEach(() => vi.unstubAllGlobals())

async function read(turnCount: number) {
  const thread = {
    thread_id: 'a',
    turn_count: turnCount,
    start_time: null,
    last_updated: null,
    first_turn_id: null,
    last_turn_id: null,
    p50_turn_duration_ms: 5,
    p99_turn_duration_ms: 12_800,
  } satisfies Partial<ReceivedThread> as ReceivedThread
  const { host, unmount } = await render(
    <>
      <FewTurns count={turnCount} />
      <ThreadFigures thread={thread} display={{ zone: 'utc', now: 0 }} />
    </>,
  )
  const found = [host.querySelector('[title^=Only]')?.getAttribute('title'), host.querySelector('p')?.textContent]
  expect(host.textContent).toContain('12.80\u00A0s (12,800\u00A0ms)')
  await unmount()
  return found
}

test('what a p99 of few turns is, is said in the title of its cell and below the figures', async () => {
  expect(await read(1)).toEqual(['Only 1 turn: the p99 is that turn', 'With 1 turn the p99 is that turn.'])
  expect(await read(2)).toEqual([
    'Only 2 turns: the p99 is close to the slowest turn',
    'With 2 turns the p99 is close to the slowest turn.',
  ])
  expect(await read(10)).toEqual([undefined, undefined])
})
