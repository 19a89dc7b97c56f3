import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { drain, listen } from './listen'

test('the address says the port that was found', async () => {
  const server = createServer()
  expect(await listen(server, '127.0.0.1', 0)).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  await drain(server, 0)
})

test('an answer without end is cut when patience ends; a connection kept alive holds nothing up', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/endless') response.write('x')
    else response.end('done')
  })
  const url = await listen(server, '127.0.0.1', 0)
  expect(await (await fetch(`${url}/short`)).text()).toBe('done')
  const endless = await fetch(`${url}/endless`)
  const begun = performance.now()
  await drain(server, 300)
  expect(performance.now() - begun).toBeLessThan(2000)
  await expect(endless.text()).rejects.toThrow()
})

test('without requests it ends at once', async () => {
  const server = createServer((_, response) => response.end('done'))
  const url = await listen(server, '127.0.0.1', 0)
  await (await fetch(url)).text()
  const begun = performance.now()
  await drain(server, 5000)
  expect(performance.now() - begun).toBeLessThan(1000)
})
