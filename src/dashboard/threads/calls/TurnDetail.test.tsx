// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TreeCall } from '../../../contract/call-tree'
import { click, findButton, jsonLines, render, stubService, waitFor } from '../../../testing/render'
import { treeCall } from './testing/tree-call'
import { TurnDetail } from './TurnDetail'

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined))
afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const calls = [
  treeCall('turn', null, 0, 100_000),
  treeCall('search', 'turn', 10_000, 40_000, { kind: 'retriever', self_ms: 30 }),
  treeCall('model', 'turn', 50_000, 90_000, { kind: 'llm', self_ms: 40, status: 'error' }),
]

function Turn({ traceId = '' }: { traceId?: string }) {
  const [callId, setCallId] = useState('')
  return (
    <>
      <button type="button" onClick={() => setCallId('model')}>
        Open the model call
      </button>
      <TurnDetail traceId={traceId} turnId="turn" callId={callId} onOpenCall={setCallId} />
    </>
  )
}

async function renderTurn(rows: readonly TreeCall[] = calls, routes: Parameters<typeof stubService>[0] = {}) {
  const requests = stubService({ '/calls/tree': () => jsonLines(rows), ...routes })
  const { host } = await render(<Turn />)
  await waitFor(() => expect(host.textContent).toContain('critical path'))
  return {
    host,
    requests: () => requests.filter(({ path }) => !path.endsWith('/feedback/query')),
    tree: host.querySelector('table')!,
  }
}

const press = (element: Element, key: string) =>
  act(async () => void element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))
const rowsOf = (tree: Element) => [...tree.querySelectorAll('tbody tr[aria-level]')]
const activeRow = (tree: Element) => document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')

test('the calls of a turn are a tree whose rows say their level and where they are in time', async () => {
  const { host, requests, tree } = await renderTurn()
  expect(requests().map(({ body }) => body)).toEqual([{ project_id: 'acme/support', call_id: 'turn', limit: 100_001 }])
  expect(tree.getAttribute('role')).toBe('treegrid')
  expect(rowsOf(tree).map((row) => row.getAttribute('aria-level'))).toEqual(['1', '2', '2'])
  expect(rowsOf(tree)[1]?.textContent).toContain('Starts after 10 ms, lasts 30 ms. 30.0 ms of it on the critical path')
  expect(rowsOf(tree)[2]?.textContent).toContain('failed')
  expect(host.textContent).toContain('3 calls')
  expect(host.textContent).toContain('critical path: 3 calls')
})

test('calls at the top whose parents form a circle, or have not arrived, are counted', async () => {
  const cut = [treeCall('a', null, 1, 2, { cut_by: 'circle' }), treeCall('b', null, 1, 2, { cut_by: 'missing' })]
  const { host } = await renderTurn([...calls, ...cut])
  expect(host.textContent).toContain('1 call at the top: the parents form a circle')
  expect(host.textContent).toContain('1 call at the top: the call above has not arrived')
})

test('a turn without an end says how long ago it started, not how much of it was received', async () => {
  const dayUs = 86_400_000_000
  const renderRunning = async (ageUs: number) => {
    stubService({ '/calls/tree': () => jsonLines([treeCall('turn', null, Date.now() * 1000 - ageUs, null)]) })
    const { host } = await render(<Turn />)
    await waitFor(() => expect(host.textContent).toContain('1 call'))
    return host.querySelector('.turn-tree')?.textContent
  }
  expect(await renderRunning(3 * dayUs)).toContain('no end received, started 3 d ago')
  expect(await renderRunning(dayUs / 24)).toContain('running, 1 h 00 min so far')
  // A clock that is ahead of this one: what was received is the least.
  expect(await renderRunning(-dayUs)).toContain('running, 0.001 ms so far')
})

test('the times on the axis differ, and only the first stands after its time', async () => {
  const listLabels = async (endUs: number) => {
    const { host, unmount } = await renderWith(endUs)
    const labels = [...host.querySelectorAll<HTMLElement>('.waterfall-axis > [style]')]
    const listed = labels.map(({ textContent, style }) => [textContent, style.left || `${style.right} from the end`])
    await unmount()
    return listed
  }
  const renderWith = async (endUs: number) => {
    stubService({ '/calls/tree': () => jsonLines([treeCall('turn', null, 0, endUs)]) })
    const rendered = await render(<Turn />)
    await waitFor(() => expect(rendered.host.querySelector('.waterfall-axis')).not.toBeNull())
    return rendered
  }
  const instant = [
    ['0', '0%'],
    ['0.001 ms', '0% from the end'],
  ]
  expect(await listLabels(0)).toEqual(instant)
  expect(await listLabels(1)).toEqual(instant)
  expect(await listLabels(700_000)).toEqual([
    ['0', '0%'],
    ['500 ms', expect.stringMatching(/^28.57\d*% from the end$/)],
  ])
})

test('the figures of a call have both forms of its times', async () => {
  const { host } = await renderTurn([treeCall('turn', null, 0, 40_000_000), treeCall('late', 'turn', 23_600_000, 36_400_000)])
  await click(findButton(host, 'Slowest'))
  await press(host.querySelector('table')!, 'End')
  await press(host.querySelector('table')!, 'Enter')
  const figures = host.querySelector('.call-detail')?.textContent
  expect(figures).toContain('After the start of the turn23.60\u00A0s (23,600\u00A0ms)')
  expect(figures).toContain('Total time12.80\u00A0s (12,800\u00A0ms)')
})

test('the arrow keys move, collapse and expand; typing finds calls', async () => {
  const { tree } = await renderTurn()
  await press(tree, 'ArrowDown')
  expect(activeRow(tree)?.textContent).toContain('search')
  await press(tree, 'ArrowLeft')
  expect(activeRow(tree)?.getAttribute('aria-level')).toBe('1')
  await press(tree, 'ArrowLeft')
  expect(rowsOf(tree)).toHaveLength(1)
  await press(tree, 'ArrowRight')
  expect(rowsOf(tree)).toHaveLength(3)
  await press(tree, 'm')
  expect(activeRow(tree)?.textContent).toContain('model')
})

test('the next error and the slowest call are opened', async () => {
  const { host, tree } = await renderTurn()
  await click(findButton(host, 'Next error'))
  expect(activeRow(tree)?.textContent).toContain('model')
  expect(activeRow(tree)?.getAttribute('aria-selected')).toBe('true')
  // The focus is still on the button, so the key is pressed there.
  await press(findButton(host, 'Next error')!, 'Escape')
  expect(host.querySelector('.call-detail')).toBeNull()
  await press(tree, 'Home')
  await click(findButton(host, 'Slowest'))
  expect(activeRow(tree)?.textContent).toContain('model')
  expect(host.querySelector('.call-detail')).not.toBeNull()
})

test('the next error follows the last one, also where that is in a collapsed call', async () => {
  const failed = (id: string, parent: string) => treeCall(id, parent, 1, 2, { status: 'error' })
  const { host, tree } = await renderTurn([
    treeCall('turn', null, 0, 100),
    treeCall('plan', 'turn', 0, 50),
    failed('first', 'plan'),
    failed('second', 'plan'),
  ])
  const nextError = findButton(host, 'Next error')
  await click(nextError)
  expect(activeRow(tree)?.textContent).toContain('first')
  await click(host.querySelector('[aria-label="Collapse all calls"]'))
  expect(rowsOf(tree)).toHaveLength(2)
  await click(nextError)
  expect(activeRow(tree)?.textContent).toContain('second')
})

test('where no call failed, the page says so beside the button', async () => {
  const { host } = await renderTurn([treeCall('turn', null, 0, 100)])
  await click(findButton(host, 'Next error'))
  expect(host.querySelector('.turn-tree')?.textContent).toContain('No call failed')
  expect(host.querySelector('.call-detail')).toBeNull()
})

test('a call that is opened from outside the tree is shown in it', async () => {
  const { host, tree } = await renderTurn()
  await press(tree, 'ArrowLeft')
  expect(rowsOf(tree)).toHaveLength(1)
  await click(findButton(host, 'Open the model call'))
  expect(activeRow(tree)?.textContent).toContain('model')
  expect(activeRow(tree)?.getAttribute('aria-selected')).toBe('true')
})

test('Enter opens a call, reads its first pieces only then, and Escape closes it', async () => {
  const part = (text: string, length = text.length) => ({ text, from: 0, to: text.length, length })
  const { host, requests, tree } = await renderTurn(calls, {
    '/call/read': () =>
      Response.json({
        call: {
          id: 'model',
          op_name: 'model',
          exception: 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: <b>no</b>',
        },
        parts: {
          inputs: part(
            JSON.stringify({ messages: [{ role: 'user', content: '<img src=x onerror=alert(1)> \u202Eevil' }], model: 'gpt-4o' }),
          ),
          output: part('{"cut', 1_000_000),
          attributes: part('{"a":{"b":[1,2]}}'),
          summary: null,
        },
      }),
  })
  expect(requests()).toHaveLength(1)
  await press(tree, 'End')
  await press(tree, 'Enter')
  await waitFor(() => expect(host.textContent).toContain('ValueError: <b>no</b>'))
  expect(requests()[1]?.body).toEqual({
    project_id: 'acme/support',
    id: 'model',
    include_costs: true,
    fields: ['inputs', 'output', 'attributes', 'summary'],
    range: [0, 262_144],
  })
  const detail = host.querySelector('.call-detail')
  expect(document.activeElement?.textContent).toBe('model')
  expect(detail?.querySelector('img, b')).toBeNull()
  expect(detail?.textContent).toContain(String.raw`<img src=x onerror=alert(1)> \u202Eevil`)
  expect(detail?.textContent).toContain('The first 5 of 1,000,000 characters of its JSON are shown.')
  await press(document.activeElement!, 'Escape')
  expect(host.querySelector('.call-detail')).toBeNull()
  expect(document.activeElement).toBe(tree)
})

test('where a service has no trees, its list of calls becomes one; where it has no list either, that is said', async () => {
  const listed = [
    { id: 'turn', trace_id: 't', op_name: 'turn', started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:02Z' },
    { id: 'tool', trace_id: 't', parent_id: 'turn', started_at: '2026-01-01T00:00:01Z', ended_at: null },
    { id: 'other', trace_id: 'u', parent_id: 'turn', started_at: '2026-01-01T00:00:01Z' },
  ]
  const { tree } = await renderTurn([], {
    '/calls/tree': () => Response.json({ detail: 'Not Found' }, { status: 404 }),
    '/calls/stream_query': () => jsonLines(listed),
  })
  expect(rowsOf(tree)).toHaveLength(2)
  stubService({})
  const { host } = await render(<Turn traceId="t" />)
  await waitFor(() => expect(host.textContent).toContain('The calls of this turn could not be read'))
})
