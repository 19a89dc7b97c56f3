import type { MessagePort } from 'node:worker_threads'
import type * as chdb from 'chdb'
import { createChdbSession } from './chdb-session'
import type { EngineFiles, EngineReply, EngineRequest } from './engine-messages'
import type { EngineSession, RowStream } from './engine-session'

/**
 * Runs the embedded engine for the other end of `port`. All its sessions live in one thread: sessions of several threads
 * close each other's connections (seen in chdb 3.4.0). `onEnd` is called after the last reply.
 */
export function serveEngine(port: MessagePort, onEnd: () => void): void {
  const sessions = new Map<number, EngineSession>()
  const streams = new Map<number, RowStream>()
  let engine: typeof chdb | undefined

  const find = (id: number): EngineSession => {
    const session = sessions.get(id)
    if (!session) throw new Error(`The engine has no session ${id}.`)
    return session
  }
  const open = async (id: number, files: EngineFiles) => {
    engine ??= await import('chdb')
    const session = new engine.Session(files.storeFolder, { connectionArgs: [`--config-file=${files.configPath}`] })
    sessions.set(id, createChdbSession(session))
  }
  const next = async (id: number) => {
    const chunk = await streams.get(id)?.next()
    if (chunk === undefined) streams.delete(id)
    return chunk
  }
  const handle = async (request: Extract<EngineRequest, { id: number }>) => {
    switch (request.type) {
      case 'open':
        await open(request.session, request.files)
        return undefined
      case 'run':
        await find(request.session).run(request.statement, request.params)
        return undefined
      case 'insert':
        await find(request.session).insert(request.insert)
        return undefined
      case 'stream':
        streams.set(request.session, await find(request.session).stream(request.statement, request.params))
        return await next(request.session)
      case 'collect':
        return await find(request.session).collect(request.statement, request.params)
      case 'next':
        return await next(request.session)
      case 'end':
        await engine?.drainPending()
        return undefined
    }
  }
  const reply = async (request: Extract<EngineRequest, { id: number }>) => {
    const message = await handle(request).then(
      (chunk): EngineReply => ({ id: request.id, chunk }),
      (error: unknown): EngineReply => ({ id: request.id, error: describeError(error) }),
    )
    port.postMessage(message, 'chunk' in message && message.chunk ? [message.chunk.buffer] : [])
    if (request.type === 'end') onEnd()
  }
  port.on('message', (request: EngineRequest) => {
    switch (request.type) {
      case 'cancel':
        streams.get(request.session)?.cancel()
        streams.delete(request.session)
        return
      case 'close':
        sessions.get(request.session)?.close()
        sessions.delete(request.session)
        return
      default:
        void reply(request)
    }
  })
}

function describeError(error: unknown) {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { message: error instanceof Error ? error.message : String(error), code }
}
