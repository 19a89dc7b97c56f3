// @vitest-environment happy-dom
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '../../../testing/render'
import type { TableData } from './table-data'
import { countNewer, hasSameOrder, useNewerRows } from './use-newer-rows'

type NamesProps = { names: readonly string[]; updatedAt: number; view?: string; isPlaceholder?: boolean }

function Names({ names, updatedAt, view = 'view', isPlaceholder = false }: NamesProps) {
  const latest = {
    rows: names,
    isComplete: true,
    isFetching: isPlaceholder,
    isPlaceholder,
    updatedAt,
  } as unknown as TableData<string>
  const { data, newerCount } = useNewerRows(latest, view, true, { getRowId: (name) => name, updatesInPlace: true })
  return `${data.rows?.join(' ')}, ${newerCount} newer`
}

test('rows that come to a list without rows are shown at once, and later ones are held back', async () => {
  const { host, rerender, unmount } = await render(createElement(Names, { names: [], updatedAt: 1 }))
  expect(host.textContent).toBe(', 0 newer')
  await rerender(createElement(Names, { names: ['a'], updatedAt: 2 }))
  expect(host.textContent).toBe('a, 0 newer')
  await rerender(createElement(Names, { names: ['b', 'a'], updatedAt: 3 }))
  expect(host.textContent).toBe('a, 1 newer')
  await unmount()
  vi.unstubAllGlobals()
})

test('the rows of another view are shown at once, also where they come all at once, and those of a refresh are held back', async () => {
  const { host, rerender, unmount } = await render(createElement(Names, { names: ['a', 'b'], updatedAt: 1 }))
  await rerender(createElement(Names, { names: ['a', 'b'], updatedAt: 1, view: 'filtered', isPlaceholder: true }))
  await rerender(createElement(Names, { names: ['a'], updatedAt: 2, view: 'filtered' }))
  expect(host.textContent).toBe('a, 0 newer')
  await rerender(createElement(Names, { names: ['b', 'a'], updatedAt: 3, view: 'filtered' }))
  expect(host.textContent).toBe('a, 1 newer')
  await unmount()
  vi.unstubAllGlobals()
})

test('new and changed rows are newer, moved rows are not', () => {
  const row = (id: string, turns: number) => ({ id, turns })
  const shown = [row('a', 1), row('b', 2)]
  expect(countNewer([row('c', 1), row('b', 3), row('a', 1)], shown, ({ id }) => id)).toBe(2)
  expect(countNewer([row('b', 2), row('a', 1)], shown, ({ id }) => id)).toBe(0)
})

test('rows that changed are where they were, rows that came, went or changed places are not', () => {
  const row = (id: string, turns: number) => ({ id, turns })
  const isSame = (latest: readonly { id: string }[]) => hasSameOrder(latest, [row('a', 1), row('b', 2)], ({ id }) => id)
  expect(isSame([row('a', 5), row('b', 6)])).toBe(true)
  expect([[], [row('a', 1)], [row('b', 2), row('a', 1)], [row('a', 1), row('b', 2), row('c', 3)]].map(isSame)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
