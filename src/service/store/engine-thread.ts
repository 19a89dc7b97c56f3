import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { EngineFiles, EngineReply, EngineRequest } from './engine-messages'
import type { EngineSession } from './engine-session'
import { serveEngine } from './serve-engine'

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

/**
 * The embedded engine in a thread of its own: to start a statement takes milliseconds, and seconds for a bad one, in which
 * its thread does nothing else. Without `workerUrl` it shares the thread of the caller, for tests and development.
 */
export class EngineThread {
  private readonly pending = new Map<number, Pending>()
  private readonly port: MessagePort | Worker
  private lastId = 0
  private failure: Error | undefined
  private readonly ended: Promise<void>

  constructor(
    private readonly files: EngineFiles,
    workerUrl?: URL,
  ) {
    ;({ port: this.port, ended: this.ended } = workerUrl ? this.startWorker(workerUrl) : startInPlace())
    this.port.on('message', (reply: EngineReply) => this.receive(reply))
  }

  /** The session can be used at once; where it cannot be opened, each use rejects. */
  openSession(): EngineSession {
    const session = (this.lastId += 1)
    let isOpen = true
    const opening = this.request({ type: 'open', session, files: this.files })
    opening.catch(() => (isOpen = false))
    const use = async (request: Request, transfer?: ArrayBuffer[]) => {
      await opening
      return await this.request(request, transfer)
    }
    return {
      get isOpen() {
        return isOpen
      },
      run: async (statement, params = {}) => void (await use({ type: 'run', session, statement, params })),
      insert: async (insert) => {
        const lines = new Uint8Array(insert.lines)
        await use({ type: 'insert', session, insert: { ...insert, lines } }, [lines.buffer])
      },
      stream: async (statement, params) => {
        let first: Promise<Uint8Array<ArrayBuffer> | undefined> | undefined = Promise.resolve(
          await use({ type: 'stream', session, statement, params }),
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
    await this.request({ type: 'end' })
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
    // The state of the engine is unknown then: the service ends as after any unexpected error.
    worker.on('error', (error) => {
      throw error
    })
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        this.failure = new EngineError('The thread of the engine has ended.')
        for (const { reject } of this.pending.values()) reject(this.failure)
        this.pending.clear()
        resolve()
      })
    })
    return { port: worker, ended }
  }
}

function startInPlace() {
  const { port1, port2 } = new MessageChannel()
  serveEngine(port2, () => port2.close())
  return { port: port1, ended: new Promise<void>((resolve) => void port1.on('close', resolve)) }
}
