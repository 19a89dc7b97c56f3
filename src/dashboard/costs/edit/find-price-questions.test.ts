import { expect, test } from 'vitest'
import type { ReceivedCost } from '../../../contract/received-costs'
import { findPriceQuestions } from './find-price-questions'

const elsewhere = [
  {
    prompt_token_cost: 0.0000025,
    completion_token_cost: 0.00001,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
  },
] as ReceivedCost[] // only these fields are read

test('a price that is 1,000 times that of the same model elsewhere is questioned', () => {
  const cost = { prompt_token_cost: 0.0025, completion_token_cost: 0.00001, prompt_token_cost_unit: 'USD' }
  expect(findPriceQuestions(cost, elsewhere)).toEqual([
    'Prompt: about 1,000 times this model’s price elsewhere. Is the unit right?',
    'The completion costs less than the prompt. Are the two in the right fields?',
  ])
})

test('a price that is too small is questioned too, and one of an unknown model above 0.01', () => {
  const cost = { prompt_token_cost: 2.5e-9, completion_token_cost: 0.02 }
  expect(findPriceQuestions({ ...cost, prompt_token_cost_unit: 'USD' }, elsewhere)).toEqual([
    'Prompt: about a 1,000th of this model’s price elsewhere. Is the unit right?',
    'Completion: about 1,000 times this model’s price elsewhere. Is the unit right?',
  ])
  expect(findPriceQuestions(cost, [])).toEqual(['Completion: more than 10,000 USD for a million tokens. Is the unit right?'])
})

test('a free or plausible price is not questioned, nor one in another currency', () => {
  expect(findPriceQuestions({ prompt_token_cost: 0.000002, completion_token_cost: 0 }, elsewhere)).toEqual([])
  expect(
    findPriceQuestions({ prompt_token_cost: 0.0025, completion_token_cost: 0.005, prompt_token_cost_unit: 'JPY' }, elsewhere),
  ).toEqual([])
})
