import { type IncomingMessage, ServerResponse } from 'node:http'
import { freeBuffer } from '../lib/free-buffer'

const defaultLimits = {
  /**
   * How much of a body that nobody wants is read and discarded, and for how long. nginx has the same: `lingering_time` 30 s,
   * `lingering_timeout` 5 s, https://nginx.org/en/docs/http/ngx_http_core_module.html#lingering_close.
   */
  maxDrainBytes: 64 * 1024 * 1024,
  maxDrainMs: 30_000,
  maxDrainIdleMs: 5000,
  /** How long a response in one piece may take to leave: this, and a second for each 16 KiB, which is 128 kbit/s. */
  sendMs: 60_000,
  minSendBytesPerMs: 16,
}
export type ResponseLimits = typeof defaultLimits

/**
 * A response that reaches a client which is still sending. Most clients read only after they have sent everything, and a
 * connection that is closed with unread bytes is reset, which deletes the response on its way (RFC 9112, section 9.6).
 * So the response is sent at once, the rest of the body is read and discarded, and only then the request ends.
 *
 * A client that takes too long to read a response in one piece is disconnected, because the response is in memory.
 */
export class DrainingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** For tests. */
  limits: Readonly<ResponseLimits> = defaultLimits
  /** All of the response is written, and what is left of the request is discarded. */
  isDraining = false

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    // Node's overloads, which a subclass cannot spell as one signature without casts.
    const endNow = () => super.end(chunk as string, encoding as BufferEncoding, callback as () => void)
    this.disconnectIfSlow(chunk)
    if (this.isDraining || this.req.complete || this.req.destroyed || this.writableEnded) return endNow()
    this.isDraining = true
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk)
    else this.flushHeaders()
    this.drainRequest(() => super.end())
    return this
  }

  private drainRequest(onEnd: () => void): void {
    const { req, limits } = this
    let byteCount = 0
    const disconnect = () => req.socket.destroy()
    const deadline = setTimeout(disconnect, limits.maxDrainMs).unref()
    const idleTimer = setTimeout(disconnect, limits.maxDrainIdleMs).unref()
    req.on('data', (chunk: Buffer) => {
      idleTimer.refresh()
      byteCount += chunk.length
      freeBuffer(chunk)
      if (byteCount > limits.maxDrainBytes) disconnect()
    })
    const finish = () => {
      clearTimeout(deadline)
      clearTimeout(idleTimer)
      req.off('end', finish).off('close', finish)
      onEnd()
    }
    // Nobody reads the body any more, so nobody needs to know that it broke off.
    req
      .on('error', () => {})
      .on('end', finish)
      .on('close', finish)
    req.resume()
  }

  private disconnectIfSlow(chunk: unknown): void {
    const byteCount = chunk instanceof Uint8Array ? chunk.length : 0
    // The socket buffers of the system take the smaller ones, whether the client reads or not.
    if (byteCount < 64 * 1024 || this.isDraining) return
    const timer = setTimeout(() => this.destroy(), this.limits.sendMs + byteCount / this.limits.minSendBytesPerMs).unref()
    this.once('close', () => clearTimeout(timer))
  }
}
