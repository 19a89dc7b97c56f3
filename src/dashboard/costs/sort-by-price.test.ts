import { expect, test } from 'vitest'
import { ReceivedCost } from '../../contract/received-costs'
import { sortByPrice } from './sort-by-price'

function cost(id: string, prompt: number | null, currency: string) {
  return ReceivedCost.parse({ id, prompt_token_cost: prompt, prompt_token_cost_unit: currency })
}

test('the cheapest comes first in each currency, and the own currency before the others', () => {
  const costs = [
    cost('cny', 0.1, 'CNY'),
    cost('dear', 3, 'USD'),
    cost('unknown', null, 'USD'),
    cost('eur', 1, 'EUR'),
    cost('free', 0, 'USD'),
  ]
  expect(sortByPrice(costs, 'USD').map(({ id }) => id)).toEqual(['free', 'dear', 'unknown', 'cny', 'eur'])
  expect(sortByPrice(costs, 'EUR')[0]?.id).toBe('eur')
})
