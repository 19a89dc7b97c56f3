import { expect, test } from 'vitest'
import { parseScorerRefs } from './parse-scorer-refs'

const a = 'weave:///acme/support/scorer/A:v1'
const b = 'weave:///acme/support/scorer/B:latest'

test('pasted lines and code become a list of references', () => {
  expect(parseScorerRefs(`${a}\n${b}`)).toEqual([a, b])
  expect(parseScorerRefs(`scorers = ["${a}"]  # reviewed`)).toEqual([a])
})

test.each<[string, string, string[]]>([
  ['nothing', '  \n ', []],
  ['one', a, [a]],
  ['lines', `${a}\n${b}\r\n\n`, [a, b]],
  ['commas', `${a}, ${b},`, [a, b]],
  ['semicolons', `${a};${b}`, [a, b]],
  ['spaces between whole references', `${a} ${b}`, [a, b]],
  ['a JSON array', JSON.stringify([a, b]), [a, b]],
  ['an object that holds the list', JSON.stringify({ name: 'x', scorer_refs: [a, b] }), [a, b]],
  ['an object of objects', JSON.stringify({ one: { ref: a, note: 'first' }, two: { ref: b } }), [a, b]],
  ['a JSON string', JSON.stringify(a), [a]],
  ['JSON with a number', `["${a}", 7]`, [a]],
  ['Python', `scorers = [\n    "${a}",  # first\n    '${b}',\n]`, [a, b]],
  ['TypeScript', `const refs = [\`${a}\`, "${b}"] // "not one"`, [a, b]],
  ['a quoted reference that is malformed', `refs = ["${a}", "weave://half"]`, [a, 'weave://half']],
  ['a list with bullets', `- ${a}\n* ${b}\n1. ${a}`, [a, b, a]],
  ['comment lines', `# reviewed\n${a}\n// and\n${b}`, [a, b]],
  ['text that is no reference, unchanged', 'hello world\nfoo', ['hello world', 'foo']],
  ['a JSON array of words', '["x","y"]', ['x', 'y']],
  ['repeated', `${a}\n${a}`, [a, a]],
])('reads %s', (_, text, expected) => {
  expect(parseScorerRefs(text)).toEqual(expected)
})
