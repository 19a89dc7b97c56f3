import { expect, test } from 'vitest'
import { parseMultipart } from './parse-multipart'

const type = 'multipart/form-data; boundary=xx'
const read = (text: string, contentType = type) => parseMultipart(contentType, Buffer.from(text, 'latin1'))
const part = (headers: string, content = 'c') => `--xx\r\n${headers}\r\n\r\n${content}\r\n--xx--\r\n`

test('returns the parts of a form in order, with unchanged bytes', () => {
  const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 120, 13, 10, 13, 10, 254])
  const body = Buffer.concat([
    Buffer.from('--xx\r\nContent-Disposition: form-data; name="project_id"\r\n\r\na/b\r\n--xx\r\n'),
    Buffer.from('content-type: image/png\r\nCONTENT-DISPOSITION: form-data; name="file"; filename="a.png"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--xx--'),
  ])
  expect(parseMultipart(type, body)).toEqual([
    { name: 'project_id', content: Buffer.from('a/b') },
    { name: 'file', content: bytes },
  ])
})

test.each([
  ['name="f"; filename="a\\"b.py"', 'f'],
  ['name=f; filename=plain', 'f'],
  ['name="f"; filename*=utf-8\'\'na%C3%AFve', 'f'],
  ['name="f"; filename=""', 'f'],
  ['filename="a; name=g"; name="f"', 'f'],
  ['filename="a\\"; name=g"; name="f"', 'f'],
  ['name="a\\"; b"', 'a"; b'],
])('a part with %s is called %s', (parameters, name) => {
  expect(read(part(`Content-Disposition: form-data; ${parameters}`))).toEqual([{ name, content: Buffer.from('c') }])
})

test('accepts a quoted boundary, text before the first part, an empty part and an empty form', () => {
  expect(
    read(`preamble\r\n${part('Content-Disposition: form-data; name="f"', '')}`, 'multipart/form-data; Boundary="xx"'),
  ).toEqual([{ name: 'f', content: Buffer.alloc(0) }])
  expect(read('--xx--\r\n')).toEqual([])
})

test.each([
  ['a body that is empty', '', type],
  ['another boundary', part('Content-Disposition: form-data; name="f"'), 'multipart/form-data; boundary=yy'],
  ['no boundary', part('Content-Disposition: form-data; name="f"'), 'multipart/form-data'],
  ['a part cut short', '--xx\r\nContent-Disposition: form-data; name="f"\r\n\r\ncontent', type],
  ['headers cut short', '--xx\r\nContent-Disposition: form-data; name="f"', type],
  ['the opening alone', '--xx', type],
  ['a part without a name', part('Content-Disposition: form-data'), type],
  ['a part without a disposition', part('Content-Type: text/plain'), type],
  ['too many parts', `${'--xx\r\nContent-Disposition: form-data; name="f"\r\n\r\nc\r\n'.repeat(33)}--xx--`, type],
])('%s is reported as a problem', (_, body, contentType) => {
  expect(read(body, contentType)).toEqual(expect.any(String))
})

test('parses bodies made to be slow in little time', () => {
  const started = performance.now()
  for (const body of [
    '--xx\r\n'.repeat(1_000_000),
    `--xx\r\nContent-Disposition: form-data; name="${'\\'.repeat(1_000_000)}`,
    `--xx\r\n${'a: b\r\n'.repeat(300_000)}\r\n\r\nc\r\n--xx--`,
    `--xx\r\nContent-Disposition: form-data${'; x=y'.repeat(200_000)}\r\n\r\nc\r\n--xx--`,
    `--xx\r\nContent-Disposition: form-data${' '.repeat(500_000)}\r\n\r\nc\r\n--xx--`,
  ]) {
    read(body)
  }
  expect(performance.now() - started).toBeLessThan(3000)
})
