import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpError } from './http-error'

/** How long bytes that are still on their way are read and discarded; without that a reset deletes the response. */
const lingerMs = 5000

/** Sends an error on a connection that has no request and so no response object, then closes it. */
export function refuseConnection(socket: Duplex, error: HttpError, requestId: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ detail: error.problems })
  const headers = Object.entries(errorHeaders(error, requestId)).map(([name, value]) => `${name}: ${value}\r\n`)
  const statusLine = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n`
  socket.write(`${statusLine}${headers.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  endConnection(socket)
}

/** Closes a connection once what was written has left. */
export function endConnection(socket: Duplex): void {
  // The client may be gone; there is nobody else to tell.
  socket.on('error', () => {})
  socket.end()
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Of an error response that is sent outside of the app. */
export function errorHeaders(error: HttpError, requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    connection: 'close',
    ...error.headers,
  }
}

/** What Node's HTTP parser refused; undefined for a connection that failed, where there is nobody to answer. */
export function toParserError(error: Error): HttpError | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const msg = 'The headers of the request did not arrive in time.'
    return new HttpError('request_timeout', { loc: ['header'], msg, type: 'request_timeout' })
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const msg = 'The headers of the request are larger than 16 KiB.'
    return new HttpError('headers_too_large', { loc: ['header'], msg, type: 'headers_too_large' })
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    const msg = 'The chunk extensions of the body are larger than 16 KiB.'
    return new HttpError('too_large', { loc: ['body'], msg, type: 'body_too_large' })
  }
  if (!code.startsWith('HPE_')) return undefined
  // The parser's own words for the place, such as "Invalid method encountered". They quote nothing of the request.
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : 'it cannot be parsed'
  return invalidRequest([], `This is not a valid HTTP request: ${reason}.`)
}

export function invalidRequest(loc: string[], msg: string): HttpError {
  return new HttpError('bad_request', { loc, msg, type: 'invalid_request' })
}
