import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { EngineFiles, EngineReply, EngineRequest } from './engine-messages'
import type { EngineSession } from './engine-session'
import { serveEngine } from './serve-engine'
import { StoreError } from './store-error'

/** A failure in the thread of the engine. The message is ClickHouse's. */
export class EngineError extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message)
    this.name = 'EngineError'
  }
}

type Pending = { resolve: (chunk: Uint8Array<ArrayBuffer> | undefined) => void; reject: (error: Error) => void }
type WithoutId<Message> = Message extends { id: number } ? Omit<Message, 'id'> : never
type Request = WithoutId<EngineRequest>

type EngineThreadOptions = {
  /** Built JavaScript that calls `serveEngine`. Without it the engine shares the thread of the caller, for tests and development. */
  workerUrl?: URL | undefined
  /**
   * Called when the thread ends by itself. By default the error is thrown outside of any request, which ends the service: what
   * the engine was doing is unknown, and another engine in this process could not open the folder.
   */
  onCrash?: (error: Error) => void
}

/**
 * The embedded engine in a thread of its own: to start a statement takes milliseconds, and seconds for a bad one, in which
 * its thread does nothing else.
 */
export class EngineThread {
  private readonly pending = new Map<number, Pending>()
  private readonly port: MessagePort | Worker
  private lastId = 0
  private failure: Error | undefined
  private isEnding = false
  private readonly ended: Promise<void>
  private readonly onCrash: (error: Error) => void

  constructor(
    private readonly files: EngineFiles,
    { workerUrl, onCrash = throwError }: EngineThreadOptions = {},
  ) {
    this.onCrash = onCrash
    ;({ port: this.port, ended: this.ended } = workerUrl ? this.startWorker(workerUrl) : startInPlace())
    this.port.on('message', (reply: EngineReply) => this.receive(reply))
  }

  async openSession(): Promise<EngineSession> {
    const session = (this.lastId += 1)
    await this.request({ type: 'open', session, files: this.files })
    let isOpen = true
    return {
      get isOpen() {
        return isOpen
      },
      run: async (statement, params = {}) => void (await this.request({ type: 'run', session, statement, params })),
      insert: async (insert) => {
        const lines = ownBytes(insert.lines)
        await this.request({ type: 'insert', session, insert: { ...insert, lines } }, [lines.buffer])
      },
      collect: async (statement, params) =>
        (await this.request({ type: 'collect', session, statement, params })) ?? new Uint8Array(),
      stream: async (statement, params) => {
        let first: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined = Promise.resolve(
          await this.request({ type: 'stream', session, statement, params }),
        )
        return {
          next: async () => {
            const chunk = first ?? this.request({ type: 'next', session })
            first = undefined
            return await chunk
          },
          cancel: () => this.send({ type: 'cancel', session }),
        }
      },
      close: () => {
        isOpen = false
        this.send({ type: 'close', session })
      },
    }
  }

  /** Waits until the engine has left all statements, and ends the thread. Close the sessions before. */
  async end(): Promise<void> {
    this.isEnding = true
    if (!this.failure) await this.request({ type: 'end' })
    await this.ended
  }

  private async request(request: Request, transfer?: ArrayBuffer[]): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.failure) throw this.failure
    const id = (this.lastId += 1)
    return await new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject })
      this.send({ ...request, id }, transfer)
    })
  }

  private send(request: EngineRequest, transfer: ArrayBuffer[] = []): void {
    this.port.postMessage(request, transfer)
  }

  private receive(reply: EngineReply): void {
    const pending = this.pending.get(reply.id)
    this.pending.delete(reply.id)
    if ('error' in reply) pending?.reject(new EngineError(reply.error.message, reply.error.code))
    else pending?.resolve(reply.chunk)
  }

  private startWorker(url: URL) {
    const worker = new Worker(url)
    let cause: unknown
    worker.on('error', (error) => (cause = error))
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', (exitCode) => {
        this.failure = new StoreError('unavailable', `the thread of the engine has ended with code ${exitCode}`, { cause })
        for (const { reject } of this.pending.values()) reject(this.failure)
        this.pending.clear()
        resolve()
        if (!this.isEnding) this.onCrash(this.failure)
      })
    })
    return { port: worker, ended }
  }
}

/** Bytes with a buffer of their own, which can be handed over. Small ones often share the buffer of others. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const hasOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
  return hasOwn ? new Uint8Array(buffer) : new Uint8Array(bytes)
}

function throwError(error: Error): never {
  throw error
}

function startInPlace() {
  const { port1, port2 } = new MessageChannel()
  serveEngine(port2, () => port2.close())
  return { port: port1, ended: new Promise<void>((resolve) => void port1.on('close', resolve)) }
}
