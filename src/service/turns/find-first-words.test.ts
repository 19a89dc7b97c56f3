import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { findFirstWords } from './find-first-words'

test('the first words of a turn are those of the question in its inputs', () => {
  expect(findFirstWords({ model: 'gpt-4o', question: 'Where is\n my order?' })).toBe('Where is my order?')
})

test.each<[string, unknown, string | null]>([
  ['plain text', 'Hello', 'Hello'],
  [
    'the last message of the user',
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'First' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: [{ type: 'text', text: 'Second' }] },
      ],
    },
    'Second',
  ],
  ['messages as JSON text', { prompt: '{"messages":[{"role":"user","content":"Hi"}]}' }, 'Hi'],
  ['messages before other fields', { prompt: 'System prompt', history: [{ role: 'user', parts: [{ text: 'Ask' }] }] }, 'Ask'],
  ['a tool message that is not the user', [{ role: 'tool', content: 'found 3' }], 'found 3'],
  ['a field of any other name', { customer: { id: 'c-1', mood: 'angry' } }, 'angry'],
  ['text that only looks like JSON', '{not json', '{not json'],
  ['references and files say nothing', { self: 'weave:///a/b/object/x:v1', file: 'data:image/png;base64,AA' }, null],
  ['numbers only', { attempt: 3 }, null],
  ['nothing', {}, null],
  ['blank text', { question: '  \n' }, null],
])('%s', (_, inputs, words) => {
  expect(findFirstWords(inputs)).toBe(words)
})

test('a long text is cut, and no character is cut in two', () => {
  expect(findFirstWords('é'.repeat(160))).toBe('é'.repeat(160))
  expect(findFirstWords('🙂'.repeat(500))).toBe(`${'🙂'.repeat(159)}…`)
})

testProperty('any inputs give one line of at most 160 characters, or null', fc.jsonValue(), { runs: 300 }, (inputs) => {
  const words = findFirstWords(inputs)
  if (words === null) return
  expect(Array.from(words).length).toBeLessThanOrEqual(160)
  expect(words).toMatch(/^[^\n]+$/)
})
