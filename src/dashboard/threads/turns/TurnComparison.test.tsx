// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Turn } from '../../../contract/turns'
import { render, stubService } from '../../../testing/render'
import { testTurn } from './testing/test-turn'
import { TurnComparison } from './TurnComparison'

afterEach(() => vi.unstubAllGlobals())

async function readDifference(left: Partial<Turn>, right: Partial<Turn>) {
  stubService({})
  const turns = [testTurn('left', left), testTurn('right', right)]
  const { host, unmount } = await render(
    <TurnComparison turns={turns} leftIndex={0} rightIndex={1} onSwap={() => undefined} onEnd={() => undefined} />,
  )
  const row = [...host.querySelectorAll('tr')].find(({ textContent }) => textContent?.startsWith('Cost'))
  const text = row?.lastElementChild?.textContent
  await unmount()
  return text
}

const cost = (total: string, currency = 'USD') => ({ costs: [{ currency, total }] })

test('costs in one currency have a difference, like the other figures', async () => {
  expect(await readDifference(cost('0.0123'), cost('0.0023'))).toBe('+0.01 USD')
  expect(await readDifference(cost('1.5'), cost('2.75'))).toBe('−1.25 USD')
  expect(await readDifference(cost('0.10'), cost('0.1'))).toBe('same')
})

test('other costs have none: in two currencies, unknown, or without the price of a call', async () => {
  const two = { costs: [...cost('1').costs, ...cost('1', 'EUR').costs] }
  expect(await readDifference(cost('1'), cost('1', 'EUR'))).toBe('—')
  expect([await readDifference(two, cost('1')), await readDifference(cost('1'), two)]).toEqual(['—', '—'])
  expect([await readDifference({}, cost('1')), await readDifference(cost('1'), {})]).toEqual(['—', '—'])
  expect(await readDifference(cost('2'), { ...cost('1'), unpriced_call_count: 1 })).toBe('—')
})
