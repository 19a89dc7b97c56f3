import { array, oneof, string } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { toParamStatements } from './param-statements'

test('parameters become one statement, in which no value ends its quotes', () => {
  expect(toParamStatements({ p1: "it's", p2: ['a', 'b\\'], p3: 5 })).toEqual([
    String.raw`SET param_p1 = 'it\'s', param_p2 = '[\'a\',\'b\\\\\']', param_p3 = '5'`,
  ])
  expect(toParamStatements({})).toEqual([])
})

test('long lists of parameters become several statements, and a value that is too long for one none', () => {
  const params = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, 'é'.repeat(30_000)]))
  expect(toParamStatements(params)).toHaveLength(3)
  expect(toParamStatements({ p1: 'short', p2: 'é'.repeat(130_000) })).toBeUndefined()
})

testProperty(
  'whatever a value holds, nothing follows the end of its quotes',
  oneof(string({ unit: 'binary' }), array(string())),
  { runs: 100 },
  (value) => {
    const [statement = ''] = toParamStatements({ p1: value }) ?? []
    expect(/^SET param_p1 = '(?:[^\\']|\\.)*'$/s.test(statement)).toBe(true)
  },
)
