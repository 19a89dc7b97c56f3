import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { drain, listen } from './listen'

test('listens on a free port for port 0, and returns the URL with that port', async () => {
  const server = createServer()
  expect(await listen(server, '127.0.0.1', 0)).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  await drain(server, 0)
})

test('drain closes an endless response after the timeout; a keep-alive connection does not delay it', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/endless') response.write('x')
    else response.end('done')
  })
  const url = await listen(server, '127.0.0.1', 0)
  expect(await (await fetch(`${url}/short`)).text()).toBe('done')
  const endless = await fetch(`${url}/endless`)
  const startedAt = performance.now()
  await drain(server, 300)
  expect(performance.now() - startedAt).toBeLessThan(2000)
  await expect(endless.text()).rejects.toThrow()
})

test('drain without running requests returns at once', async () => {
  const server = createServer((_, response) => response.end('done'))
  const url = await listen(server, '127.0.0.1', 0)
  await (await fetch(url)).text()
  const startedAt = performance.now()
  await drain(server, 5000)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
