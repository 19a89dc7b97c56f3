import type { MessagePort } from 'node:worker_threads'
import { joinBytes } from '../../../contract/join-bytes'
import { findBuffers, toErrorMessage, type WorkerReply, type WorkerRequest } from './messages'
import type { AnyPreparation, PrepareTools } from './preparation'

type Steps = Generator<unknown, unknown, undefined>

/** What a worker thread does: runs the jobs that `port` asks for, step by step, several of them in turn. */
export function servePreparations(port: MessagePort, preparations: readonly AnyPreparation[], tools: PrepareTools): void {
  const jobs = new Map<number, Steps>()
  const bodies = new Map<number, Uint8Array[]>()
  const reply = (message: WorkerReply, buffers: ArrayBuffer[] = []) => port.postMessage(message, buffers)

  const start = ({ id, name, context }: Extract<WorkerRequest, { type: 'start' }>) => {
    const preparation = preparations.find((each) => each.name === name)
    if (!preparation) throw new Error(`The worker has no preparation '${name}'.`)
    const body = joinBytes(bodies.get(id) ?? [])
    bodies.delete(id)
    // Its sender has the type: `Preparer.prepare` ties the context to the preparation.
    jobs.set(id, preparation.prepare(body, context as never, tools))
  }

  port.on('message', (request: WorkerRequest) => {
    const { id } = request
    if (request.type === 'body') {
      const parts = bodies.get(id) ?? []
      parts.push(request.part)
      bodies.set(id, parts)
      return
    }
    if (request.type === 'cancel') {
      jobs.get(id)?.return(undefined)
      jobs.delete(id)
      bodies.delete(id)
      return
    }
    try {
      if (request.type === 'start') start(request)
      const step = jobs.get(id)?.next()
      if (!step) return
      if (step.done) jobs.delete(id)
      reply({ id, type: 'step', done: step.done === true, value: step.value }, findBuffers(step.value))
    } catch (error) {
      jobs.delete(id)
      reply({ id, type: 'error', error: toErrorMessage(error) })
    }
  })
}
