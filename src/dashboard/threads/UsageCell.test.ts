import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type ListedThread, type ThreadDisplay, threadColumnsWithCalls } from './thread-columns'
import { type CallFigures, countTokens, formatExactCost, getCommonCurrency, NotReadYet } from './UsageCell'

const figures = (more: Partial<CallFigures> = {}): CallFigures => ({
  error_count: 0,
  total_tokens: 0,
  costs: [],
  unpriced_call_count: 0,
  models: [],
  ...more,
})

test('the tokens of a thread are unknown where none of its calls names a model', () => {
  expect(countTokens(figures({ models: ['gpt-4o'], total_tokens: 2400 }))).toBe(2400)
  expect(countTokens(figures())).toBeNull()
  expect(countTokens(undefined)).toBeNull()
})

test('a currency stands in the header only if all sums have it', () => {
  const cost = (currency: string) => figures({ costs: [{ currency, total: '1' }] })
  expect(getCommonCurrency([cost('USD'), cost('USD')])).toBe('USD')
  expect(getCommonCurrency([cost('USD'), cost('EUR')])).toBeUndefined()
})

test('sums in different currencies are never added', () => {
  const costs = [
    { currency: 'EUR', total: '3' },
    { currency: 'USD', total: '1.25' },
  ]
  expect(formatExactCost(figures({ costs }))).toBe('3 EUR, 1.25 USD')
  expect(formatExactCost(figures())).toBeNull()
})

test('a thread whose calls were not looked up yet has no figure yet; one without calls has none', () => {
  const tokens = threadColumnsWithCalls.find(({ id }) => id === 'total_tokens')
  const render = (areFiguresRead: boolean) => {
    const known = new Map([['before', figures({ models: ['gpt-4o'], total_tokens: 2400 })]])
    const display = { figures: known, areFiguresRead, figuresError: null } as Partial<ThreadDisplay> as ThreadDisplay
    return ['before', 'next'].map((thread_id) =>
      renderToStaticMarkup(tokens?.cell({ thread_id } as Partial<ListedThread> as ListedThread, display)),
    )
  }
  expect(render(false)).toEqual(['2,400', expect.stringContaining('Being read')])
  expect(render(true)).toEqual(['2,400', expect.stringContaining('—')])
})

test('a figure that could not be read says why, not that there is none', () => {
  const render = (error: Error | null) => renderToStaticMarkup(createElement(NotReadYet, { error }))
  expect(render(null)).toContain('Being read')
  expect(render(new Error('The calls are still being processed.'))).toContain(
    'title="Not read yet: The calls are still being processed."',
  )
})
