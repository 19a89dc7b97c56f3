// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { StatusError } from './api-error'
import { readServerWords } from './server-words'

test('the problems of the contract are read, with their places', () => {
  const body = '{"detail":[{"loc":["body","refs",0],"msg":"Wrong.","type":"value_error"},{"msg":"Too long."}]}'
  expect(readServerWords(body)).toEqual({
    problems: [
      { loc: ['body', 'refs', '0'], msg: 'Wrong.', type: 'value_error' },
      { loc: [], msg: 'Too long.', type: '' },
    ],
    text: 'Wrong. Too long.',
  })
})

test.each([
  ['{"detail":"Not here."}', 'Not here.'],
  ['{"detail":{"message":"Not here."}}', 'Not here.'],
  ['{"reason":"Not here."}', 'Not here.'],
  ['{"error":{"code":404,"message":"Not here."}}', 'Not here.'],
  ['{"title":"Missing","status":404,"detail":"Not here."}', 'Not here.'],
  ['{"errors":[{"message":"One."},{"message":"Two."}]}', 'One. Two.'],
  ['"Not here."', 'Not here.'],
  ['Not\r\nhere.', 'Not here.'],
  ['<!doctype html><title>502 Bad &amp; worse</title><h1>x</h1>', '502 Bad & worse'],
  ['<h1>Not</h1> <p>here.', 'Not here.'],
  ['<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>', '502 Bad Gateway nginx'],
  ['<P>N<b>o</b>t<BR>h<code>er</code>e.</P>', 'Not here.'],
  ['Not\u202E here\u0007.', 'Not here .'],
  ['{"status":404}', ''],
  ['null', ''],
  ['', ''],
])('%s says %s', (body, text) => {
  expect(readServerWords(body)).toEqual({ problems: [], text })
})

test('a long text is shortened', () => {
  expect(readServerWords('x'.repeat(5000)).text).toHaveLength(301)
})

test('of a long text the message has the start, and the details to copy have all of it', () => {
  const words = readServerWords(`Stack: ${'frame '.repeat(100)}end`)
  expect(words.text).toHaveLength(301)
  const { message, details } = new StatusError({ method: 'POST', path: '/cost/query' }, 500, words)
  expect(message).not.toContain('end')
  expect(details).toContain('frame end')
})
