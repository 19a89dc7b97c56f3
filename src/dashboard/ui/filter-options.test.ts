import { expect, test } from 'vitest'
import { filterOptions } from './filter-options'

const option = (label: string, group = 'Go to') => ({ id: label, label, group })
const options = [option('Costs'), option('Connection'), option('Dark', 'Theme'), option('acme/costs', 'Project')]
const labels = (text: string) => filterOptions(options, text).map(({ label }) => label)

test('without text all options are shown in their order', () => {
  expect(labels(' ')).toEqual(['Costs', 'Connection', 'Dark', 'acme/costs'])
})

test('every word must be in the label or group; matching prefixes come first', () => {
  expect(labels('theme dark')).toEqual(['Dark'])
  expect(labels('cost')).toEqual(['Costs', 'acme/costs'])
  expect(labels('acme')).toEqual(['acme/costs'])
  expect(labels('zzz')).toEqual([])
})

test('custom options come last, without those whose id an option has', () => {
  expect(filterOptions(options, 'acme', [option('acme'), option('zzz')]).map(({ id }) => id)).toEqual([
    'acme/costs',
    'acme',
    'zzz',
  ])
  expect(filterOptions(options, 'Dark', [option('Dark')]).map(({ id }) => id)).toEqual(['Dark'])
})
