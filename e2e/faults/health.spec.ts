import { createConnection } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'playwright/test'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

let service: SpoolService
test.beforeAll(async () => {
  service = await SpoolService.start({ SPOOL_SAMPLE: 'off' })
})
test.afterAll(async () => {
  await service.stop()
})

fault('500 connections that send nothing', 'other clients are served', async () => {
  const { hostname, port } = new URL(service.url)
  const sockets = Array.from({ length: 500 }, () => createConnection(Number(port), hostname))
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
