import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sends bytes as they are and returns everything until the server closes the connection. Requests say `Connection: close`. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const socket = await openSocket(url)
  socket.write(bytes)
  return await readToEnd(socket)
}

/** A connection to the server of a URL. Errors are ignored: the server may reset it at any time. */
export async function openSocket(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {})
  return socket
}

/** What the server sends until the connection closes, also by a reset. */
export async function readToEnd(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString())).resume()
  if (!socket.closed) await once(socket, 'close')
  return received
}
